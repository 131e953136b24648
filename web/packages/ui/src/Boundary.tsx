/** Keeps an error of rendering inside its part of the page: the rest stays usable. */
import { Code } from "@connectrpc/connect";
import { refusalOfPage } from "@pavise/rpc/broken.ts";
import { Component, type ReactNode } from "react";
import { Refused } from "./Loaded.tsx";

type Broken = { readonly error: unknown };

/** Shows its children or, after an error, what happened and the id of the last request. */
export class Boundary extends Component<{ children: ReactNode }, { broken: Broken | undefined }> {
  override state: { broken: Broken | undefined } = { broken: undefined };

  static getDerivedStateFromError(error: unknown): { broken: Broken } {
    return { broken: { error } };
  }

  override render(): ReactNode {
    const { broken } = this.state;
    if (broken === undefined) return this.props.children;
    return <BrokenPart error={broken.error} onRetry={() => this.setState({ broken: undefined })} />;
  }
}

function reload() {
  window.location.reload();
}

/** The panel in place of a part that broke. */
export function BrokenPart({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const refusal = refusalOfPage(error);
  // Only a reload of the page fetches a module again that did not arrive.
  return <Refused error={refusal} onRetry={refusal.code === Code.Unavailable ? reload : onRetry} />;
}
