// Whose context, notes and pressure are looked at: an agent's, where there is one.
import type { Server } from "./server";
import type { Session } from "./wire";

/** The sessions that a person may want to look at: those that live, the one of an agent that did something last first. */
export async function sessionsToLookAt(server: Server, folder: { workspace?: string }): Promise<Session[]> {
  const { sessions } = await server.request("wm/session/list", folder);
  return order(sessions);
}

/** Those that live, of which this editor's own, whose turns nobody counts, come last. */
export function order(sessions: readonly Session[]): Session[] {
  return sessions
    .filter((session) => session.live)
    .sort((a, b) => Number(b.turn > 0) - Number(a.turn > 0) || b.updatedAt.localeCompare(a.updatedAt));
}

/** What to call a session. */
export function nameOf(session: Session): string {
  return session.title || session.agent || session.sessionId;
}
