import { actionIds } from '../action-ids.ts'
import type { SlackBlock } from '../block-schema.ts'
import { truncateText } from '../cut-text.ts'
import { slackLimits } from '../limits.ts'

const MOST_EXAMPLES = 4

/** Questions as buttons that ask them; no block without any. One that a button cannot hold whole is left out. */
export const exampleButtons = (examples: readonly string[]): readonly SlackBlock[] => {
  const shown = examples.filter(example => example.length <= slackLimits.buttonValue).slice(0, MOST_EXAMPLES)
  if (shown.length === 0) return []
  return [
    {
      type: 'actions',
      elements: shown.map((example, i) => ({
        type: 'button' as const,
        action_id: `${actionIds.askExample}${i + 1}`,
        text: { type: 'plain_text' as const, text: truncateText(example, slackLimits.buttonText) },
        value: example,
      })),
    },
  ]
}
