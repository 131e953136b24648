import type { CurrentSession, SessionKeeper, SessionState } from "./session.ts";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { forgetBetween } from "./forget.ts";

const signedIn = (identityId: string): SessionState => ({
  status: "signedIn",
  session: { identityId } as CurrentSession,
});

/** A keeper with a given state, and the cached answers that it guards. */
function watched() {
  let state: SessionState = { status: "unknown" };
  const listeners: (() => void)[] = [];
  const answers = new QueryClient();
  const keeper = {
    state: () => state,
    subscribe: (listener: () => void) => void listeners.push(listener),
  } as unknown as SessionKeeper;
  forgetBetween(keeper, answers, ["contract"]);
  const become = (next: SessionState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  return { answers, become };
}

test("the first known session leaves the queries that are under way alone", async () => {
  const { answers, become } = watched();
  const observer = new QueryObserver(answers, {
    queryKey: ["plans"],
    queryFn: () => new Promise((answer) => setTimeout(() => answer("plans"), 5)),
  });
  const stop = observer.subscribe(() => undefined);
  become(signedIn("ada"));
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe("plans"));
  stop();
});

test("another identity gets no answer of the one before; what is everybody's stays", () => {
  const { answers, become } = watched();
  become(signedIn("ada"));
  answers.setQueryData(["invoices"], "Ada's");
  answers.setQueryData(["contract"], "everybody's");
  become({ status: "signedOut", left: false });
  expect(answers.getQueryData(["invoices"])).toBe("Ada's");
  become(signedIn("charles"));
  expect(answers.getQueryData(["invoices"])).toBeUndefined();
  expect(answers.getQueryData(["contract"])).toBe("everybody's");
});

test("a sign-out empties what is shown, too, and asks for it again", async () => {
  const { answers, become } = watched();
  become(signedIn("ada"));
  let asked = 0;
  const observer = new QueryObserver(answers, { queryKey: ["plans"], queryFn: () => Promise.resolve((asked += 1)) });
  const stop = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(1));
  become({ status: "signedOut", left: true });
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(2));
  stop();
});

test("a new session of the same identity reads again what is shown, and leaves what is everybody's", async () => {
  const { answers, become } = watched();
  become(signedIn("ada"));
  const asked = { plans: 0, contract: 0 };
  const observers = (["plans", "contract"] as const).map(
    (name) =>
      new QueryObserver(answers, {
        queryKey: [name],
        staleTime: Infinity,
        queryFn: () => Promise.resolve((asked[name] += 1)),
      }),
  );
  const stops = observers.map((observer) => observer.subscribe(() => undefined));
  await vi.waitFor(() => expect(observers.map((observer) => observer.getCurrentResult().data)).toEqual([1, 1]));
  become({ status: "signedOut", left: false });
  become(signedIn("ada"));
  await vi.waitFor(() => expect(asked.plans).toBe(2));
  expect(asked.contract).toBe(1);
  for (const stop of stops) stop();
});
