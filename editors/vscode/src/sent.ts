/** Remembers what was last told about each file, so that only what changed is told. */
export class Sent {
  private readonly known = new Map<string, string>();

  /** Whether this is news about the file; it counts as told then. */
  isNews(uri: string, diagnostics: readonly unknown[]): boolean {
    const encoded = JSON.stringify(diagnostics);
    const before = this.known.get(uri);
    if (before === encoded || (before === undefined && diagnostics.length === 0)) {
      return false;
    }
    this.known.set(uri, encoded);
    return true;
  }

  /** All files that were told of become news again; a new server learns also what is gone. */
  forget(): string[] {
    const uris = [...this.known.keys()];
    for (const uri of uris) {
      this.known.set(uri, "");
    }
    return uris;
  }
}
