import type { ResolveStaleResult } from '../../domain/verified-query.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { readStalenessKey } from '../views/verified-query.ts'
import { askOnBehalf, doubleClickKeys, tsToDate } from './ask-on-behalf.ts'
import type { Background } from './background.ts'
import type { ButtonClickArgs } from './clicks.ts'
import type { DigestListenerDeps } from './digest-buttons.ts'
import type { ShowHome } from './home.ts'

/** Does something for whoever clicked, then shows the tab again with what became of it. A null word shows nothing new. */
const onHomeClick =
  (
    what: string,
    act: (given: {
      readonly person: string
      readonly team: string
      readonly value: string
      readonly client: ButtonClickArgs['client']
      readonly clickedAt: string
    }) => Promise<string | null>,
    { showHome, background }: { readonly showHome: ShowHome; readonly background: Background },
    /** Stores what must survive the acknowledgement; false where there is nothing to do. */
    before: (given: {
      readonly person: string
      readonly team: string
      readonly value: string
      readonly clickedAt: string
    }) => Promise<boolean> = async () => true,
  ) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    const person = body.user.id
    const team = body.team?.id ?? body.user.team_id ?? ''
    const { value, action_ts: clickedAt } = action
    const goesOn = Boolean(value && team) && (await before({ person, team, value: value ?? '', clickedAt }))
    await ack()
    if (!goesOn || !value) return
    const show = (note: string): Promise<void> => showHome(client, { person, team }, note)
    background.run(what, async () => {
      const note = await act({ person, team, value, client, clickedAt }).catch(async (error: unknown) => {
        await show('That did not work. Try again in a moment; the log says more.')
        throw error
      })
      if (note !== null) await show(note)
    })
  }

interface HomeListenerDeps {
  readonly showHome: ShowHome
  readonly background: Background
}

const adminsOnlyText = 'Only the people in `slack.admins` of querent.yml decide this.'

/** An example question: asked in the direct messages of whoever clicked. */
export const makeHomeExampleClick = (
  useCases: Pick<SlackUseCases, 'ask' | 'findAskRefusal' | 'pendingQuestions'>,
  around: HomeListenerDeps,
) =>
  onHomeClick(
    'asking an example of Home',
    async ({ person, team, value, client, clickedAt }) => {
      const opened = await client.conversations.open({ users: person })
      const channel = opened.channel?.id
      if (!channel) return 'Your messages with me could not be opened. Write to me yourself, once.'
      const key = homeKey(person, clickedAt)
      const asked = await askOnBehalf(useCases, client, { key, person, team, channel, text: value }).catch(
        async (error: unknown) => {
          // The person is told, and clicks again: nothing is asked behind their back.
          await useCases.pendingQuestions.close(key)
          throw error
        },
      )
      if (asked.status === 'not-allowed') await useCases.pendingQuestions.close(key)
      return asked.status === 'not-allowed'
        ? `${asked.reason} ${asked.nextStep}`
        : 'Asked. The answer comes into your messages with me.'
    },
    around,
    ({ person, team, value: text, clickedAt }) =>
      useCases.pendingQuestions.add(
        { key: homeKey(person, clickedAt), person, team, channel: null, text },
        doubleClickKeys({ person, where: `home ${team}`, text }, tsToDate(clickedAt)),
      ),
  )

const homeKey = (person: string, clickedAt: string): string => `home ${person} ${clickedAt}`

/** `Accept` and `Reject` on what a reply proposed. */
export const makeHomeRuleClick = (
  status: 'accepted' | 'rejected',
  { decideRule, isAdmin }: Pick<SlackUseCases, 'decideRule' | 'isAdmin'>,
  around: HomeListenerDeps,
) =>
  onHomeClick(
    'deciding a proposed rule',
    async ({ person, value }) => {
      if (!isAdmin(person)) return adminsOnlyText
      const rule = await decideRule({ id: value, status, by: person })
      return rule ? `The rule is ${status}.` : 'This rule is not there any more.'
    },
    around,
  )

/** `QuestionStorage` and `Remove` on a verified query that went stale. Keeping runs it first. */
export const makeHomeStaleQueryClick = (
  decision: 'keep' | 'remove',
  { resolveStaleVerified, isAdmin }: Pick<SlackUseCases, 'resolveStaleVerified' | 'isAdmin'>,
  around: HomeListenerDeps,
) =>
  onHomeClick(
    'settling a verified query',
    async ({ person, value }) => {
      const key = readStalenessKey(value)
      if (!isAdmin(person)) return adminsOnlyText
      return key && formatSettled(await resolveStaleVerified({ key, decision, by: person, ownerOnly: false }))
    },
    around,
  )

/** Has a database measured and indexed anew by a job, which shows the tab again at its end; the old index serves meanwhile. */
export const makeHomeRebuildClick = (
  { rebuildIndex, isAdmin }: Pick<SlackUseCases, 'rebuildIndex' | 'isAdmin'>,
  { showHome, background }: HomeListenerDeps,
) => {
  /** What became of each click that is not acknowledged yet. */
  const begun = new Map<string, Awaited<ReturnType<typeof rebuildIndex>>['status']>()
  const keyOf = ({ person, clickedAt }: { readonly person: string; readonly clickedAt: string }): string =>
    `${person} ${clickedAt}`
  return onHomeClick(
    'rebuilding an index',
    async ({ person, value, clickedAt }) => {
      const key = keyOf({ person, clickedAt })
      const status = begun.get(key) ?? 'not-admin'
      begun.delete(key)
      switch (status) {
        case 'begun':
          return `The index of ${value} is being rebuilt. Questions are answered from the old one meanwhile.`
        case 'not-admin':
          return adminsOnlyText
        case 'unknown':
          return `There is no database ${value} any more.`
        default: {
          const never: never = status
          return never
        }
      }
    },
    { showHome, background },
    async ({ person, team, value, clickedAt }) => {
      if (!isAdmin(person)) return true
      const { status } = await rebuildIndex({ database: value, by: { person, team } })
      begun.set(keyOf({ person, clickedAt }), status)
      return true
    },
  )
}

const formatSettled = (settled: ResolveStaleResult): string => {
  switch (settled.status) {
    case 'kept':
      return 'The query works, and is used again.'
    case 'removed':
      return 'The query is removed.'
    case 'settled':
      return 'Somebody was faster: this was decided already.'
    case 'unfit':
      return `It cannot be kept: ${settled.reason}`
    case 'taken':
      return 'It cannot be kept: its question has another verified query by now.'
    case 'not-theirs':
      return adminsOnlyText
    default: {
      const never: never = settled
      return never
    }
  }
}

const jobGoneText = 'This job is not there any more: somebody decided before.'

/** `Retry` and `Drop` on a job that failed for good. */
export const makeHomeJobClick = (
  decision: 'retry' | 'drop',
  { failedJobs, isAdmin }: Pick<SlackUseCases, 'failedJobs' | 'isAdmin'>,
  around: HomeListenerDeps,
) =>
  onHomeClick(
    'deciding on a job that failed',
    async ({ person, value }) => {
      if (!isAdmin(person)) return adminsOnlyText
      if (decision === 'drop') return (await failedJobs.drop(value)) ? 'The job is dropped.' : jobGoneText
      return (await failedJobs.retry(value)) ? 'The job is tried again.' : jobGoneText
    },
    around,
  )

/** `Previous` and `Next`: another page of digests in App Home. */
export const makeHomeDigestsPage =
  ({ showHome, background }: DigestListenerDeps) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const team = body.team?.id ?? body.user.team_id ?? ''
    if (!/^\d{1,6}$/.test(action.value ?? '') || !team) return
    const from = Number(action.value)
    background.run('turning a page of Home', () =>
      showHome(client, { person: body.user.id, team }, undefined, from),
    )
  }
