/** Keeps an error of rendering inside its part of the page: the rest stays usable. */
import { isLostPart, refusalOfPage } from "@pavise/rpc/broken.ts";
import { Component, type ReactNode } from "react";
import { useLostPart } from "./lost.ts";
import { Refused } from "./Loaded.tsx";
import { SkeletonText } from "./Skeleton.tsx";

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

type BrokenPartProps = { error: unknown; onRetry: () => void };

/** The panel in place of a part that broke. A part that did not arrive is loaded again with the page. */
export function BrokenPart({ error, onRetry }: BrokenPartProps) {
  return isLostPart(error) ? <LostPart error={error} /> : <Refused error={refusalOfPage(error)} onRetry={onRetry} />;
}

function LostPart({ error }: { error: unknown }) {
  const { waiting, again } = useLostPart(error);
  return waiting ? <SkeletonText lines={6} /> : <Refused error={refusalOfPage(error)} onRetry={again} />;
}
