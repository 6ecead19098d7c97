import { Component, type ComponentChildren } from "preact";

import { Button } from "./controls/button.tsx";

interface BoundaryProps {
  /** Asks for everything anew; what answers has another version. */
  readonly onReload: () => void;
  readonly version: number;
  readonly children: ComponentChildren;
}

interface BoundaryState {
  readonly error?: Error | undefined;
  /** The version that was shown when the user asked to reload. */
  readonly reloading?: number | undefined;
}

/** Shows what broke in place of a blank page. Nothing is lost: the host holds the transcript. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = {};

  static override getDerivedStateFromError(error: Error): BoundaryState {
    return { error };
  }

  /** The page is tried again once a new state is here; with the old one it would break again. */
  static override getDerivedStateFromProps(props: BoundaryProps, state: BoundaryState): BoundaryState | null {
    const answered = state.reloading !== undefined && props.version !== state.reloading;
    return answered ? { error: undefined, reloading: undefined } : null;
  }

  override render() {
    const { error, reloading } = this.state;
    if (error === undefined) return this.props.children;
    const reload = () => {
      this.setState({ reloading: this.props.version });
      this.props.onReload();
    };
    return (
      <div class="placeholder" role="alert">
        <span class="codicon codicon-error placeholder-icon" aria-hidden="true" />
        <h2>This view stopped working</h2>
        <p>The run and its transcript are safe in the editor.</p>
        <pre class="boundary-message">{error.message}</pre>
        <Button kind="primary" icon="refresh" disabled={reloading !== undefined} onClick={reload}>
          Reload View
        </Button>
      </div>
    );
  }
}
