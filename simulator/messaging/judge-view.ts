import { z } from 'zod'
import { checkBlocks } from '../../src/slack/block-kit/blocks.ts'
import { slackLimits } from '../../src/slack/block-kit/schema.ts'
import type { GivenView } from '../shapes/view.ts'
import { withBlockIds } from './with-block-ids.ts'

const words = (most: number) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(most),
    emoji: z.boolean().optional(),
  })

const named = {
  callback_id: z.string().max(slackLimits.callbackId).optional(),
  private_metadata: z.string().max(slackLimits.privateMetadata).optional(),
  external_id: z.string().max(255).optional(),
  blocks: z.array(z.looseObject({ type: z.string() })),
}

const viewSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('modal'),
    title: words(slackLimits.modalTitle),
    submit: words(slackLimits.modalButton).optional(),
    close: words(slackLimits.modalButton).optional(),
    clear_on_close: z.boolean().optional(),
    notify_on_close: z.boolean().optional(),
    submit_disabled: z.boolean().optional(),
    ...named,
  }),
  z.strictObject({ type: z.literal('home'), ...named }),
])

/** A view that Slack would accept, with ids for all blocks; otherwise its problems, one per line. */
export const judgeView = (
  given: unknown,
  type: GivenView['type'],
): { readonly view: GivenView } | { readonly problems: readonly string[] } => {
  const parsed = viewSchema.safeParse(given)
  if (!parsed.success) {
    return { problems: parsed.error.issues.map(issue => `view.${issue.path.join('.')}: ${issue.message}`) }
  }
  const view = parsed.data as GivenView
  const problems = [
    ...(view.type === type ? [] : [`view.type: ${view.type} where a ${type} belongs`]),
    ...checkBlocks(view.blocks),
    ...(view.type === 'modal' && !view.submit && view.blocks.some(block => block.type === 'input')
      ? ['view.submit: needed where there are inputs']
      : []),
  ]
  return problems.length > 0 ? { problems } : { view: { ...view, blocks: withBlockIds(view.blocks) } }
}
