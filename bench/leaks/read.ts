import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { until } from '../../test/helpers/wait.ts'
import type { Scene, Tally } from './act.ts'
import { leaksTo } from './judge.ts'
import { type Handle, markOf } from './world.ts'

/** What people look at besides rows: lists, forms, App Home, digests, and what other people's buttons would open. */
export const readings = ['verified', 'home', 'forge', 'schedule', 'review', 'lists'] as const

type Reading = (typeof readings)[number]

type Draw = (below: number) => number

/** Buttons that open forms, whatever message they are said to be on. */
const opening = [
  'edit_sql',
  'show_sql',
  'schedule_answer',
  'human_fix',
  'human_show_sql',
  'human_reject',
] as const

/** How long a form or a reply may take that is not expected to come. */
const SOON_MS = 1_500

/** Looks at something as one person, and notes every value that this person may not see. */
export const lookAt = async (
  scene: Scene,
  by: Handle,
  reading: Reading,
  given: { readonly draw: Draw; readonly tally: Tally; readonly quiet: () => Promise<void> },
): Promise<void> => {
  const { draw, tally } = given
  const look = (where: string, shown: unknown): void => {
    for (const leak of leaksTo(scene.sights[by], JSON.stringify(shown ?? null)))
      tally.leaks.push(`${by} saw ${leak} in ${where}`)
  }
  const { simulator } = scene
  switch (reading) {
    case 'verified': {
      const words = [
        '/querent verified',
        '/querent digest list',
        '/querent admin',
        '/querent schema',
      ] as const
      await simulator.command(
        idOf(scene, by),
        channelOf(scene, 'general'),
        words[draw(words.length)] ?? words[0],
      )
      return given.quiet()
    }
    case 'home':
      return lookAtHome(scene, by, look)
    case 'forge': {
      const question = await sharedQuestion(scene, draw)
      const on = lastPost(scene, question?.channel)
      if (question === undefined || on === null) return
      const actionId = opening[draw(opening.length)] ?? opening[0]
      const forged = { actionId, value: String(question.id) }
      await simulator.click({ by, on, forged }).catch(() => null)
      return lookAtForms(scene, by, actionId, look)
    }
    case 'schedule': {
      const answer = ownAnswer(scene, by, draw)
      if (answer === undefined) return
      await simulator.click({ by, on: answer, label: 'Schedule' }).catch(() => null)
      const form = await soon(() => simulator.modal(by))
      look('the form of a digest', form?.view)
      if (form?.view.blocks.some(({ block_id }) => block_id === 'digest_title'))
        await simulator.submitModal(by, { digest_where: 'person' }).catch(() => null)
      return lookAtForms(scene, by, 'Schedule', look)
    }
    case 'review': {
      const answer = ownAnswer(scene, by, draw)
      if (answer === undefined) return
      const [word = ''] = JSON.stringify(answer.blocks).match(/(?<=")(?:human|verify):[0-9a-f-]{36}/g) ?? []
      await simulator.click({ by, on: answer, actionId: 'answer_more', choice: word }).catch(() => null)
      return given.quiet()
    }
    case 'lists': {
      const { call } = scene.programs[by]
      const search = draw(2) === 0 ? '' : markOf('north')
      for (const tool of ['list_verified_queries', 'list_metrics', 'search_schema'])
        look(tool, withoutSearch(await call(tool, { search }), search))
      return
    }
    default: {
      const never: never = reading
      return never
    }
  }
}

const idOf = ({ simulator }: Scene, handle: string): string =>
  simulator.people.find(person => person.handle === handle)?.id ?? ''

const channelOf = ({ simulator }: Scene, name: string): string =>
  simulator.channels.find(channel => channel.name === name)?.id ?? ''

/** Null if nothing such comes soon. */
const soon = <T>(look: () => T | null): Promise<T | null> =>
  until(async () => look(), { timeoutMs: SOON_MS, waitingFor: 'a form' }).then(
    () => look(),
    () => null,
  )

/** The text that a program searched for does not count as part of a reply. */
const withoutSearch = (found: unknown, search: string): unknown =>
  search === '' ? found : JSON.parse(JSON.stringify(found).replaceAll(search, ''))

/** A question that was asked where everybody is, one with SQL of somebody's own if there is any. */
const sharedQuestion = async (
  { rows, simulator }: Scene,
  draw: Draw,
): Promise<Record<string, unknown> | undefined> => {
  const shared = simulator.channels.filter(({ person }) => person === null).map(({ id }) => id)
  const found = await rows(
    `select q.id, q.place ->> 'channel' as channel from querent.questions q
     where q.status = 'answered' and q.place ->> 'channel' = any($1)
     order by exists (select from querent.answer_revisions r where r.question_id = q.id and r.sql like '%zq%') desc,
       q.asked_at desc limit 3`,
    [shared],
  )
  return found[draw(Math.max(1, found.length))]
}

const lastPost = ({ simulator }: Scene, wanted: unknown): RecordedMessage | null =>
  simulator
    .messages()
    .findLast(({ byBot, channel, onlyFor }) => byBot && onlyFor === null && channel === wanted) ?? null

const ownAnswer = (scene: Scene, by: Handle, draw: Draw): RecordedMessage | undefined => {
  const { simulator } = scene
  const direct = simulator.channels.find(({ person }) => person === idOf(scene, by))?.id
  const answers = simulator
    .messages()
    .filter(
      ({ channel, byBot, deleted, blocks }) =>
        byBot && !deleted && channel === direct && JSON.stringify(blocks).includes('schedule_answer'),
    )
    .slice(-10)
  return answers[draw(Math.max(1, answers.length))]
}

const lookAtForms = async (
  { simulator }: Scene,
  by: Handle,
  what: string,
  look: (where: string, shown: unknown) => void,
): Promise<void> => {
  const opened = await soon(() => simulator.modal(by))
  look(`the form of ${what}`, opened?.view)
  while (simulator.modal(by) !== null) await simulator.closeModal(by)
}

/** App Home, and the forms of the first digest in it. */
const lookAtHome = async (
  scene: Scene,
  by: Handle,
  look: (where: string, shown: unknown) => void,
): Promise<void> => {
  const { simulator } = scene
  simulator.openHome(by)
  const home = await soon(() => simulator.home(by))
  await simulator.settled()
  look('App Home', simulator.home(by)?.view ?? home?.view)
  if (home === null) return
  for (const label of ['Edit', 'Hand over']) {
    await simulator.click({ by, on: { viewId: home.id }, label }).catch(() => null)
    await lookAtForms(scene, by, `${label} in App Home`, look)
  }
}
