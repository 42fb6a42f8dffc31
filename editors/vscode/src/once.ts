/** Calls that follow each other closely are one. */
const closelyMillis = 150;

/**
 * Runs a task that asks something: one at a time. What is called for meanwhile
 * is run once more afterwards.
 */
export class Once {
  private running = false;
  private again = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly task: () => Promise<void>) {}

  /** Calls for the task. It must not reject. */
  call(): void {
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = true;
    void this.task().finally(() => {
      this.running = false;
      if (this.again) {
        this.again = false;
        this.call();
      }
    });
  }

  /** Calls for the task in a moment. */
  soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.call();
    }, closelyMillis);
  }

  /** Forgets what was called for. */
  dispose(): void {
    clearTimeout(this.timer);
  }
}
