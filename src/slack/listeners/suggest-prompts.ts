import type { WebClient } from '@slack/web-api'
import { slackLimits } from '../block-kit/schema.ts'
import { truncateText } from '../block-kit/text.ts'
import { suggestedPromptsTitle } from '../copy/home.ts'
import type { SlackUseCases } from '../use-cases.ts'

/** Offers questions in a person's direct messages with us. */
export type SuggestPrompts = (
  client: WebClient,
  asker: { readonly person: string; readonly team: string },
  channel: string,
) => Promise<void>

/** The example questions of App Home, as many as Slack takes. Someone who cannot ask gets none. */
export const makeSuggestPrompts =
  ({ describeHome }: Pick<SlackUseCases, 'describeHome'>): SuggestPrompts =>
  async (client, asker, channel) => {
    const soon = await describeHome(asker)
    const { examples } =
      soon.examples.length === 0 && soon.isPartial ? await describeHome(asker, { patient: true }) : soon
    const prompts = examples
      .slice(0, slackLimits.suggestedPrompts)
      .map(message => ({ title: truncateText(message, slackLimits.promptTitle), message }))
    if (prompts.length === 0) return
    await client.assistant.threads.setSuggestedPrompts({
      channel_id: channel,
      title: suggestedPromptsTitle,
      prompts,
    })
  }
