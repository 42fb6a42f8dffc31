/** Remembers what was last sent for each file, so that only changes are sent. */
export class Sent {
  private readonly known = new Map<string, string>();

  /** Reports whether the value is new for the file, and records it as sent. */
  isNews(uri: string, diagnostics: readonly unknown[]): boolean {
    const encoded = JSON.stringify(diagnostics);
    const before = this.known.get(uri);
    if (before === encoded || (before === undefined && diagnostics.length === 0)) {
      return false;
    }
    this.known.set(uri, encoded);
    return true;
  }

  /** Marks all sent files as changed, so that a new server also learns what was removed. */
  forget(): string[] {
    const uris = [...this.known.keys()];
    for (const uri of uris) {
      this.known.set(uri, "");
    }
    return uris;
  }
}
