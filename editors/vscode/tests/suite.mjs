/**
 * Runs tests one after the other and prints a line for each, which test/editors/vscode_test.go reads.
 * `after` is called with the name of each test.
 */
export async function runAll(tests, after) {
  for (const [name, body] of tests) {
    const from = Date.now();
    try {
      await body();
      console.log(`ok ${name} (${Date.now() - from} ms)`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`not ok ${name}\n${String(error?.stack ?? error).replace(/^/gm, "  ")}`);
    }
    await after(name);
  }
}
