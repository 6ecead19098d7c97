/** Whether the current user holds OAuth tokens of a provider (docs/interface.md, "Token status response"). */

import { ApiError } from "../../../api/errors.ts";
import { showInformation } from "../../kit/notice.ts";
import type { Services } from "../../services.ts";
import { chooseConnection } from "../connections/connectionChoice.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { askText } from "../../kit/ask/questions.ts";

/** The command that asks for a token. */
export function commands(services: Services): CommandsOf<"token"> {
  return { "agentOperations.token.check": (node) => check(services, node) };
}

async function check(services: Services, node: unknown): Promise<void> {
  const connection = await chooseConnection(services, node, {
    placeholder: "On which platform do you want to look for tokens?",
    accept: ({ id }) => services.platforms.hasControlPlane(id),
  });
  const { tokens } = await services.platforms.controlPlane(connection.id);
  let held: boolean | undefined;
  const provider = await askText(
    { title: `OAuth Tokens on “${connection.name}”` },
    {
      prompt:
        "ID of the OAuth provider. Shows whether you hold tokens of it; tokens themselves are not shown.",
      placeholder: "github",
      check: async (provider, signal) => {
        try {
          held = (await tokens.exists(provider, { signal })).has_token;
          return undefined;
        } catch (error) {
          return refusal(error);
        }
      },
    },
  );
  const what = held === true ? "tokens" : "no token";
  void showInformation(`You hold ${what} of the OAuth provider “${provider}” on ${connection.name}.`);
}

/** What the server finds wrong with the provider's id, to be said where it is typed; throws everything else. */
function refusal(error: unknown): string {
  if (!(error instanceof ApiError) || error.fields === undefined) throw error;
  const about = error.fields.filter(({ loc }) => loc.at(-1) === "provider_id");
  return (about.length === 0 ? error.fields : about).map(({ msg }) => msg).join("; ");
}
