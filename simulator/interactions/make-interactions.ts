import type { Heard, SendToBot } from '../delivery/make-send-to-bot.ts'
import { messageFields } from '../delivery/message-events.ts'
import type { Click, InteractionResult } from '../shapes/interaction.ts'
import type { RecordedMessage } from '../shapes/message.ts'
import type { OpenView, StateValues } from '../shapes/view.ts'
import type { Workspace } from '../workspace.ts'
import { actionFields, stateFields } from './action-fields.ts'
import { type FoundElement, findElement } from './find-element.ts'
import type { ResponseUrls } from './make-response-urls.ts'
import { viewFields } from './view-fields.ts'

/** What people do with the bot's messages. */
export interface Interactions {
  click(click: Click): Promise<InteractionResult>
  /** Sends an interaction of another kind: submitted and closed views. */
  send(type: string, by: string, fields: Readonly<Record<string, unknown>>, viewId?: string): Promise<Heard>
}

export const makeInteractions = (
  workspace: Workspace,
  send: SendToBot,
  responseUrls: ResponseUrls,
): Interactions => {
  const { people, team, bot, channels, triggers, messages, views } = workspace
  const chosen = new Map<string, StateValues>()

  const sendPayload: Interactions['send'] = (type, by, fields, viewId) => {
    const person = people.find(person => person.id === by)
    if (!person) throw new Error(`there is nobody with the id ${by}`)
    const payload = {
      type,
      user: { id: person.id, username: person.handle, name: person.handle, team_id: team.id },
      api_app_id: bot.appId,
      token: 'simulator',
      team: { id: team.id, domain: team.domain },
      enterprise: null,
      is_enterprise_install: false,
      trigger_id: triggers.issue({ person: person.id, viewId: viewId ?? null }),
      ...fields,
    }
    return send({
      kind: 'interaction',
      type,
      eventId: null,
      retry: 0,
      retryReason: null,
      contentType: 'application/x-www-form-urlencoded',
      body: new URLSearchParams({ payload: JSON.stringify(payload) }).toString(),
      shown: payload,
    })
  }

  const actionsOf = (found: FoundElement) => [
    {
      type: found.element.type,
      action_id: found.element.action_id,
      block_id: found.blockId,
      ...actionFields(found),
      action_ts: (workspace.now().getTime() / 1_000).toFixed(6),
    },
  ]

  const clickMessage = (click: Click, message: RecordedMessage): Promise<Heard> => {
    const found = forgedElement(click) ?? findElement(message.blocks, click) ?? notThere(click)
    const { channel, ts, threadTs } = message
    const key = `${channel}:${ts}`
    const state = noteChoice(chosen.get(key) ?? {}, found)
    chosen.set(key, state)
    const ephemeral = message.onlyFor !== null
    return sendPayload('block_actions', click.by, {
      container: {
        type: 'message',
        message_ts: ts,
        channel_id: channel,
        is_ephemeral: ephemeral,
        ...(threadTs ? { thread_ts: threadTs } : {}),
      },
      channel: { id: channel, name: channels.find(({ id }) => id === channel)?.name ?? '' },
      // Of an ephemeral message the bot is not told what it was.
      ...(ephemeral ? {} : { message: messageFields(message, { bot, teamId: team.id }) }),
      state: { values: state },
      response_url: responseUrls.issue({ channel, threadTs, person: click.by, ts }),
      actions: actionsOf(found),
    })
  }

  const clickView = (click: Click, open: OpenView): Promise<Heard> => {
    const found = findElement(open.view.blocks, click) ?? notThere(click)
    const fields = stateFields(found)
    if (fields) views.choose(open.id, found.blockId, found.element.action_id, fields)
    return sendPayload(
      'block_actions',
      click.by,
      {
        container: { type: 'view', view_id: open.id },
        view: viewFields(views.find(open.id) ?? open, workspace),
        actions: actionsOf(found),
      },
      open.view.type === 'modal' ? open.id : undefined,
    )
  }

  return {
    send: sendPayload,
    click: async click => {
      const { outcome, status, ms } = await ('viewId' in click.on
        ? clickView(click, views.find(click.on.viewId) ?? notThere(click))
        : clickMessage(click, messages.find(click.on.channel, click.on.ts) ?? notThere(click)))
      return { outcome, status, ms }
    },
  }
}

const forgedElement = ({ forged }: Click): FoundElement | null =>
  forged === undefined
    ? null
    : {
        blockId: 'forged',
        element: { type: 'button', action_id: forged.actionId, value: forged.value },
        choices: [],
      }

const noteChoice = (before: StateValues, found: FoundElement): StateValues => {
  const fields = stateFields(found)
  if (!fields) return before
  const { blockId, element } = found
  return { ...before, [blockId]: { ...before[blockId], [element.action_id]: fields } }
}

const notThere = (click: Click): never => {
  throw new Error(`there is nothing to click: ${JSON.stringify(click)}`)
}
