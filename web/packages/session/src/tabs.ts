// The tabs of one browser share the session's cookies. Each tab learns of a sign-out or sign-in in another.
import type { SessionKeeper } from "./session.ts";

/** The channel's name, the same for both apps. */
const CHANNEL = "pavise.session";

/** The message between tabs: the identity that is signed in now; empty after a sign-out. */
interface Told {
  readonly identityId: string;
}

/** Tells the other tabs; reloads this tab when it shows another identity than the signed-in one. */
export function watchTabs(keeper: SessionKeeper, leave: () => void = () => window.location.reload()): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin only
  const tell = (told: Told) => channel.postMessage(told);
  keeper.subscribe(() => {
    const state = keeper.state();
    if (state.status === "signedIn") tell({ identityId: state.session.identityId });
    else if (state.status === "signedOut" && state.left) tell({ identityId: "" });
  });
  channel.addEventListener("message", ({ data }: MessageEvent<Told>) => {
    const state = keeper.state();
    // A page that showed no identity's data has nothing to drop.
    const shown = keeper.shown();
    if (shown !== undefined && shown !== data.identityId) leave();
    else if (state.status === "signedOut" && data.identityId !== "") void keeper.refresh().catch(() => undefined);
  });
}
