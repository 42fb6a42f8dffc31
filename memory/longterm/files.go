package longterm

import (
	"fmt"
	"slices"
	"strings"
)

// relink updates the paths of entries about a file, or about files below a folder, that was
// renamed. Inactive entries are updated too, because they may be restored.
func (d *draft) relink(from, to string) {
	linked := func(e *Entry) bool { return e.linksTo(from) }
	for _, entry := range d.all(linked) {
		relinked := entry.clone()
		relinked.Files = cleanFiles(moved(relinked.Files, from, to))
		if relinked.Stale != nil {
			relinked.Stale = staleFor(cleanFiles(moved(relinked.Stale.Gone, from, to)))
		}
		d.write(Relinked, entry, relinked, fmt.Sprintf("%s was renamed to %s", from, to))
	}
}

// stale marks the entries that are linked to a path, or to files below it, as stale.
func (d *draft) stale(path string) {
	linked := func(e *Entry) bool { return e.linksTo(path) }
	for _, entry := range d.all(linked) {
		gone := entry.gone()
		for _, file := range entry.Files {
			if under(file, path) && !slices.Contains(gone, file) {
				gone = append(gone, file)
			}
		}
		if len(gone) == len(entry.gone()) {
			continue
		}
		staled := entry.clone()
		staled.Stale = staleFor(gone)
		d.write(Staled, entry, staled, staled.Stale.Reason)
	}
}

// freshen removes the mark from entries whose file exists again.
func (d *draft) freshen(path string) {
	if d.state.stale == 0 {
		return
	}
	missed := func(e *Entry) bool { return e.Stale != nil && slices.Contains(e.Stale.Gone, path) }
	for _, entry := range d.all(missed) {
		fresh := entry.clone()
		gone := slices.DeleteFunc(fresh.gone(), func(file string) bool { return file == path })
		fresh.Stale = staleFor(gone)
		d.write(Freshened, entry, fresh, path+" is there again")
	}
}

// portable returns an entry with relative paths only, because its changes may leave the
// machine. Absolute paths outside the workspace are left out.
func (d *draft) portable(entry Entry) Entry {
	absolute := slices.ContainsFunc(entry.Files, isAbsolute)
	if absolute {
		entry.Files = cleanFiles(d.relativeFiles(entry.Files))
	}
	if entry.Stale != nil && (absolute || slices.ContainsFunc(entry.Stale.Gone, isAbsolute)) {
		entry.Stale = staleFor(cleanFiles(d.relativeFiles(entry.Stale.Gone)))
	}
	return entry
}

func (d *draft) relativeFiles(files []string) []string {
	var relative []string
	for _, file := range files {
		if !isAbsolute(file) {
			relative = append(relative, file)
			continue
		}
		if d.relative == nil {
			continue
		}
		if rel, inside := d.relative(file); inside {
			relative = append(relative, rel)
		}
	}
	return relative
}

// isAbsolute reports whether a path is absolute on any system.
func isAbsolute(file string) bool {
	drive := len(file) > 1 && file[1] == ':' && (file[0]|0x20 >= 'a' && file[0]|0x20 <= 'z')
	return drive || strings.HasPrefix(file, "/") || strings.HasPrefix(file, `\\`) || strings.HasPrefix(file, "file:")
}

// linksTo reports whether an entry is linked to a path or to a file below it.
func (e *Entry) linksTo(path string) bool {
	return slices.ContainsFunc(e.Files, func(file string) bool { return under(file, path) })
}

// gone returns a copy of the linked files that were deleted.
func (e *Entry) gone() []string {
	if e.Stale == nil {
		return nil
	}
	return slices.Clone(e.Stale.Gone)
}

func staleFor(gone []string) *Stale {
	switch len(gone) {
	case 0:
		return nil
	case 1:
		return &Stale{Reason: gone[0] + " was deleted", Gone: gone}
	default:
		return &Stale{Reason: strings.Join(gone, ", ") + " were deleted", Gone: gone}
	}
}

// under reports whether a file is a path or is below it.
func under(file, path string) bool {
	return path != "" && (file == path || strings.HasPrefix(file, path+"/"))
}

func moved(files []string, from, to string) []string {
	renamed := slices.Clone(files)
	for i, file := range renamed {
		if under(file, from) {
			renamed[i] = to + strings.TrimPrefix(file, from)
		}
	}
	return renamed
}
