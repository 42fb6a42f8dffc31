/** Says whether a server that ended is to be started again: at most `most` times within `windowMillis`. */
export class Restarts {
  private times: number[] = [];

  constructor(
    private readonly most = 5,
    private readonly windowMillis = 3 * 60 * 1000,
    private readonly now: () => number = Date.now,
  ) {}

  /** Notes an end of the server. */
  allow(): boolean {
    const now = this.now();
    this.times = this.times.filter((time) => now - time < this.windowMillis);
    if (this.times.length >= this.most) {
      return false;
    }
    this.times.push(now);
    return true;
  }

  /** Forgets all ends so far. */
  clear(): void {
    this.times = [];
  }
}
