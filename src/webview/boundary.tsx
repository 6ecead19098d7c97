import { Component, type ComponentChildren } from "preact";

import { Button } from "./controls/button.tsx";

interface BoundaryProps {
  /** Fetches everything anew. */
  readonly onReload: () => void;
  readonly children: ComponentChildren;
}

/** Shows what broke in place of a blank page. Nothing is lost: the host holds the transcript. */
export class Boundary extends Component<BoundaryProps, { readonly error?: Error | undefined }> {
  override state: { readonly error?: Error | undefined } = {};

  static override getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const reload = () => {
      this.setState({ error: undefined });
      this.props.onReload();
    };
    return (
      <div class="placeholder" role="alert">
        <span class="codicon codicon-error placeholder-icon" aria-hidden="true" />
        <h2>This view stopped working</h2>
        <p>The run and its transcript are safe in the editor.</p>
        <pre class="boundary-message">{error.message}</pre>
        <Button kind="primary" icon="refresh" onClick={reload}>
          Reload view
        </Button>
      </div>
    );
  }
}
