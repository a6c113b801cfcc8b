import { signRequest } from '../../../simulator/delivery/sign-request.ts'
import type { Arena } from '../arena.ts'
import type { Attack, Forgery } from '../attack.ts'
import { everythingIn } from '../judge.ts'
import { tagOf } from '../obedient.ts'
import { type Bases, ownMarker, type Produced, said } from './answers.ts'

/** Sends what is no request of Slack's, or one about somebody else's things. */
export const forge = async (
  arena: Arena,
  attack: Attack,
  forgery: Forgery,
  bases: Bases,
): Promise<Produced> => {
  switch (forgery.as) {
    case 'event':
      return forgeEvent(arena, attack, forgery)
    case 'click':
    case 'form':
      return forgeInteraction(arena, attack, forgery, bases)
    default: {
      const never: never = forgery
      return never
    }
  }
}

const idOf = ({ simulator }: Arena, handle: string): string =>
  simulator.people.find(person => person.handle === handle)?.id ?? ''

const channelIdOf = ({ simulator }: Arena, name: string): string =>
  simulator.channels.find(channel => channel.name === name)?.id ?? ''

const headersFor = (arena: Arena, body: string, signed: string): Record<string, string> => {
  const now = Date.now()
  switch (signed) {
    case 'not':
      return {}
    case 'by another secret':
      return signRequest('another secret', body, new Date(now))
    case 'long ago':
      return signRequest(arena.signingSecret, body, new Date(now - 10 * 60_000))
    case 'in the future':
      return signRequest(arena.signingSecret, body, new Date(now + 10 * 60_000))
    case 'for another body':
      return signRequest(arena.signingSecret, `${body} `, new Date(now))
    default:
      return signRequest(arena.signingSecret, body, new Date(now))
  }
}

const send = async (arena: Arena, body: string, type: string, signed: string): Promise<number> => {
  const headers = { 'content-type': type, ...headersFor(arena, body, signed) }
  const response = await fetch(arena.botUrl, { method: 'POST', body, headers })
  await response.text()
  return response.status
}

const forgeEvent = async (
  arena: Arena,
  attack: Attack,
  { signed, event = {}, times = 1 }: Extract<Forgery, { readonly as: 'event' }>,
): Promise<Produced> => {
  const { simulator, watcher } = arena
  const ts = `${1_700_000_000 + Number(attack.id.slice(1))}.000100`
  const body = JSON.stringify({
    token: 'x',
    team_id: simulator.team.id,
    api_app_id: simulator.bot.appId,
    type: 'event_callback',
    event_id: `Ev0${attack.id}`,
    event_time: 1_700_000_000,
    authorizations: [{ team_id: simulator.team.id, user_id: simulator.bot.id, is_bot: true }],
    event: {
      ...{
        type: 'app_mention',
        user: idOf(arena, attack.by ?? 'ada'),
        channel: channelIdOf(arena, 'sales'),
        ts,
      },
      ...{
        text: `<@${simulator.bot.id}> how many orders are there by status? ${tagOf(attack)}`,
        event_ts: ts,
      },
      ...event,
    },
  })
  const statuses: number[] = []
  for (let n = 0; n < times; n++) statuses.push(await send(arena, body, 'application/json', signed))
  await arena.simulator.settled()
  await watcher.until(
    "select 1 where not exists (select from querent.questions where place ->> 'message' = $1 and status not in ('answered', 'refused', 'failed', 'stopped'))",
    [ts],
  )
  const [row] = await watcher.rows(
    "select count(*)::int as n from querent.questions where place ->> 'message' = $1 and status = 'answered'",
    [ts],
  )
  const expected = signed === 'right' && times > 1 ? 1 : 0
  return {
    payloads: [],
    texts: [],
    achieved: [
      ...(row?.n === expected ? [] : [`${String(row?.n)} questions were answered`]),
      ...(signed !== 'right' && statuses.some(status => status < 400)
        ? [`it was taken with ${statuses.join(', ')}`]
        : []),
    ],
  }
}

/** Proves that forms do open for forged clicks: those of a person who may see the answer. Throws if one does not. */
export const requireForms = async (arena: Arena, bases: Bases): Promise<void> => {
  const { simulator } = arena
  for (const action of ['show_sql', 'edit_sql', 'schedule_answer']) {
    const forgery = { as: 'click', signed: 'right', action, value: '{answer}' } as const
    const attack: Attack = {
      ...{ id: 'forms', threat: 'T7', name: action, by: 'ada' },
      move: { kind: 'forge', forgery },
    }
    await forgeInteraction(arena, attack, forgery, bases)
    const opened = await simulator.until(() => simulator.modal('ada'), 10_000)
    if (action !== 'schedule_answer' && !JSON.stringify(opened.view).includes(ownMarker))
      throw new Error(`the form of ${action} does not show the answer`)
    await simulator.closeModal('ada')
  }
}

/** What forms show that opened for people who may not see the answer, however late. */
export const openedForms = ({ simulator }: Arena): readonly string[] =>
  ['noor', 'theo'].filter(by => JSON.stringify(simulator.modal(by)).includes(ownMarker))

const forgeInteraction = async (
  arena: Arena,
  attack: Attack,
  forgery: Exclude<Forgery, { readonly as: 'event' }>,
  { privateAnswer }: Bases,
): Promise<Produced> => {
  const { simulator, watcher } = arena
  const by = attack.by ?? 'jonas'
  const user = {
    id: idOf(arena, by),
    team_id: by === 'theo' ? 'T0NORTHWIND' : simulator.team.id,
    username: by,
  }
  const base = {
    user,
    team: { id: simulator.team.id, domain: simulator.team.domain },
    api_app_id: simulator.bot.appId,
    // As Slack gives it to everyone who clicks: what keeps a form closed must be the bot.
    trigger_id: simulator.issueTrigger(by),
    token: 'x',
  }
  const fill = (text: string): string => text.replace('{answer}', privateAnswer.id)
  const { channel, ts } = privateAnswer.message
  const element = {
    action_id: forgery.as === 'click' ? forgery.action : '',
    block_id: 'b',
    action_ts: ts,
  }
  const payload =
    forgery.as === 'click'
      ? {
          ...{ type: 'block_actions', ...base, channel: { id: channel, name: 'general' } },
          container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false },
          message: { ts, thread_ts: privateAnswer.message.threadTs, text: '' },
          actions: [
            forgery.isMenu
              ? { type: 'overflow', ...element, selected_option: { value: fill(forgery.value) } }
              : { type: 'button', ...element, value: fill(forgery.value) },
          ],
        }
      : {
          ...{ type: 'view_submission', ...base },
          view: {
            ...{ id: `V0${attack.id}`, type: 'modal', callback_id: forgery.callback, blocks: [], hash: '1' },
            private_metadata: fill(forgery.metadata),
            state: { values: { sql_0: { sql: { type: 'plain_text_input', value: forgery.sql ?? '' } } } },
          },
        }
  const before = simulator.messages().length
  const answerBefore = everythingIn(privateAnswer.message)
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
  const signed = forgery.as === 'click' ? forgery.signed : 'right'
  const status = await send(arena, body, 'application/x-www-form-urlencoded', signed)
  await simulator.settled()
  const forThem = simulator
    .messages()
    .slice(before)
    .filter(({ onlyFor }) => onlyFor === user.id)
  const seen = [
    ...forThem.map(everythingIn),
    JSON.stringify(simulator.modal(by)),
    JSON.stringify(simulator.home(by)),
  ]
  const now = simulator.messages().find(message => message.channel === channel && message.ts === ts)
  const [kept] = await watcher.rows(
    `select (select count(*) from querent.feedback where person = $1)
       + (select count(*) from querent.votes where person = $1)
       + (select count(*) from querent.digests) as n`,
    [user.id],
  )
  const isStranger = by === 'noor' || by === 'theo'
  return {
    ...said(forThem),
    texts: seen,
    achieved: [
      ...(signed !== 'right' && status < 400 ? [`it was taken with ${status}`] : []),
      ...(seen.some(text => text.includes(ownMarker))
        ? ['the answer was shown to somebody who may not see it']
        : []),
      ...(isStranger && Number(kept?.n) > 0 ? ['a vote, a comment or a digest was stored'] : []),
      ...(now !== undefined && everythingIn(now) !== answerBefore ? ['the answer was changed'] : []),
    ],
  }
}
