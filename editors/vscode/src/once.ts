/**
 * Runs a task that asks something: one at a time. What is called for meanwhile
 * is run once more afterwards.
 */
export class Once {
  private running = false;
  private again = false;

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
}
