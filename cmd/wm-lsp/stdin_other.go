//go:build !unix

package main

import "io"

// polled returns in. Other systems do not poll pipes.
func polled(in io.Reader, _ ...io.Writer) io.Reader { return in }
