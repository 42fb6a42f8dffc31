/** Limits how often a server is restarted: at most `most` times within `windowMillis`. */
export class Restarts {
  private times: number[] = [];

  constructor(
    private readonly most = 5,
    private readonly windowMillis = 3 * 60 * 1000,
    private readonly now: () => number = Date.now,
  ) {}

  /** Records a crash; reports whether to restart. */
  allow(): boolean {
    const now = this.now();
    this.times = this.times.filter((time) => now - time < this.windowMillis);
    if (this.times.length >= this.most) {
      return false;
    }
    this.times.push(now);
    return true;
  }

  /** Forgets all crashes. */
  clear(): void {
    this.times = [];
  }
}
