/** How long calls are collected. */
const closelyMillis = 150;

/** Runs an asynchronous task, one at a time. Calls while it runs cause one more run afterwards. */
export class Once {
  private running = false;
  private again = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly task: () => Promise<void>) {}

  /** Runs the task. It must not reject. */
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

  /** Runs the task in a moment. */
  soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.call();
    }, closelyMillis);
  }

  /** Cancels what is scheduled. */
  dispose(): void {
    clearTimeout(this.timer);
  }
}
