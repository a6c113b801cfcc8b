import { z } from 'zod'
import { judgeView } from '../messaging/judge-view.ts'
import type { FormValues, InteractionResult, SubmitResult } from '../shapes/interaction.ts'
import type { GivenView, OpenView } from '../shapes/view.ts'
import type { Workspace } from '../workspace.ts'
import { formState } from './form-state.ts'
import type { Interactions } from './make-interactions.ts'
import { viewFields } from './view-fields.ts'

/** What people do with modals. Both act on a person's topmost modal and throw if there is none. */
export interface ModalUse {
  submit(by: string, values: FormValues): Promise<SubmitResult>
  /** Null if the bot did not ask for this event. */
  close(by: string): Promise<InteractionResult | null>
}

const responseSchema = z.discriminatedUnion('response_action', [
  z.object({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string()) }),
  z.object({ response_action: z.literal('update'), view: z.unknown() }),
  z.object({ response_action: z.literal('push'), view: z.unknown() }),
  z.object({ response_action: z.literal('clear') }),
])

export const makeModalUse = (workspace: Workspace, interactions: Interactions): ModalUse => {
  const { views } = workspace

  const readView = (given: unknown): GivenView | null => {
    const judged = judgeView(given, 'modal')
    if ('view' in judged) return judged.view
    const { problems } = judged
    const at = workspace.now().getTime()
    workspace.problems.add({ at, method: 'view_submission', error: 'invalid_view', problems, sent: given })
    return null
  }

  /** Applies the bot's response to the modal. */
  const follow = (open: OpenView, text: string): SubmitResult => {
    if (text.trim() === '') {
      views.close(open.person, false)
      return { outcome: 'closed' }
    }
    const read = responseSchema.safeParse(parseJson(text))
    if (!read.success) return { outcome: 'failed', problem: `not an answer to a form: ${text.slice(0, 200)}` }
    const response = read.data
    switch (response.response_action) {
      case 'errors': {
        const blockIds = open.view.blocks.map(block => block.block_id)
        const unknown = Object.keys(response.errors).filter(id => !blockIds.includes(id))
        return unknown.length > 0
          ? { outcome: 'failed', problem: `errors about blocks that are not there: ${unknown.join(', ')}` }
          : { outcome: 'errors', errors: response.errors }
      }
      case 'clear':
        views.close(open.person, true)
        return { outcome: 'cleared' }
      case 'update':
      case 'push': {
        const view = readView(response.view)
        if (!view)
          return { outcome: 'failed', problem: 'the bot answered with a view that Slack would refuse' }
        if (response.response_action === 'update') {
          views.update(open.id, view)
          return { outcome: 'updated' }
        }
        return views.push(open.person, view)
          ? { outcome: 'pushed' }
          : { outcome: 'failed', problem: 'there are three modals already' }
      }
      default: {
        const never: never = response
        return never
      }
    }
  }

  return {
    submit: async (by, values) => {
      const open = topOf(workspace, by)
      const form = formState(open, values)
      if ('errors' in form) return { outcome: 'errors', errors: form.errors }
      const view = { ...viewFields(open, workspace), state: { values: form.state } }
      const heard = await interactions.send('view_submission', by, { view, response_urls: [] }, open.id)
      if (heard.outcome !== 'acknowledged') return { outcome: 'failed', problem: heard.outcome }
      return follow(open, heard.text)
    },
    close: async by => {
      const open = topOf(workspace, by)
      const closed = views.close(by, false)
      if (!open.view.notify_on_close) return null
      const { outcome, status, ms } = await interactions.send('view_closed', by, {
        view: viewFields(open, workspace),
        is_cleared: closed.length > 1,
      })
      return { outcome, status, ms }
    },
  }
}

const topOf = ({ views }: Workspace, by: string): OpenView => {
  const open = views.top(by)
  if (!open) throw new Error(`${by} has no modal open`)
  return open
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
