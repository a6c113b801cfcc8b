import { actionIds } from '../action-ids.ts'
import type { CheckedBlock } from '../block-schema.ts'
import { cutText } from '../cut-text.ts'
import { slackLimits } from '../limits.ts'

const MOST = 4

/** Questions as buttons that ask them; no block without any. One that a button cannot hold whole is left out. */
export const exampleButtons = (examples: readonly string[]): readonly CheckedBlock[] => {
  const shown = examples.filter(example => example.length <= slackLimits.buttonValue).slice(0, MOST)
  if (shown.length === 0) return []
  return [
    {
      type: 'actions',
      elements: shown.map((example, i) => ({
        type: 'button' as const,
        action_id: `${actionIds.askExample}${i + 1}`,
        text: { type: 'plain_text' as const, text: cutText(example, slackLimits.buttonText) },
        value: example,
      })),
    },
  ]
}
