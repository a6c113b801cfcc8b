import type { SettledVerified } from '../../../core/verified-recheck.ts'
import type { SlackUseCases } from '../../use-cases.ts'
import { readStalenessKey } from '../../views/staleness-key.ts'
import { askAsPerson } from '../ask-as-person.ts'
import type { Background } from '../background.ts'
import type { ButtonClickArgs } from '../button-click-args.ts'
import type { ShowHome } from '../show-home.ts'

/** Does something for whoever clicked, then shows the tab again with what became of it. A null word shows nothing new. */
const thenShow =
  (
    what: string,
    act: (given: {
      readonly person: string
      readonly team: string
      readonly value: string
      readonly client: ButtonClickArgs['client']
      /** Shows the tab with a word meanwhile. */
      readonly meanwhile: (note: string) => Promise<void>
    }) => Promise<string | null>,
    { showHome, background }: { readonly showHome: ShowHome; readonly background: Background },
  ) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const person = body.user.id
    const team = body.team?.id ?? body.user.team_id ?? ''
    const { value } = action
    if (!value || !team) return
    const show = (note: string): Promise<void> => showHome(client, { person, team }, note)
    background.run(what, async () => {
      const note = await act({ person, team, value, client, meanwhile: show }).catch(
        async (error: unknown) => {
          await show('That did not work. Try again in a moment; the log says more.')
          throw error
        },
      )
      if (note !== null) await show(note)
    })
  }

interface Around {
  readonly showHome: ShowHome
  readonly background: Background
}

const onlyAdmins = 'Only the people in `slack.admins` of querent.yml decide this.'

/** An example question: asked in the direct messages of whoever clicked. */
export const makeHomeAsk = (useCases: Pick<SlackUseCases, 'ask' | 'whyMayNotAsk'>, around: Around) =>
  thenShow(
    'asking an example of Home',
    async ({ person, team, value, client }) => {
      const opened = await client.conversations.open({ users: person })
      const channel = opened.channel?.id
      if (!channel) return 'Your messages with me could not be opened. Write to me yourself, once.'
      const asked = await askAsPerson(useCases, client, { person, team, channel, text: value })
      return asked.status === 'not-allowed'
        ? `${asked.reason} ${asked.nextStep}`
        : 'Asked. The answer comes into your messages with me.'
    },
    around,
  )

/** `Accept` and `Reject` on what a reply proposed. */
export const makeHomeRule = (
  status: 'accepted' | 'rejected',
  { decideRule, isAdmin }: Pick<SlackUseCases, 'decideRule' | 'isAdmin'>,
  around: Around,
) =>
  thenShow(
    'deciding a proposed rule',
    async ({ person, value }) => {
      if (!isAdmin(person)) return onlyAdmins
      const rule = await decideRule({ id: value, status, by: person })
      return rule ? `The rule is ${status}.` : 'This rule is not there any more.'
    },
    around,
  )

/** `Keep` and `Remove` on a verified query that went stale. Keeping runs it first. */
export const makeHomeStale = (
  decision: 'keep' | 'remove',
  { settleVerified, isAdmin }: Pick<SlackUseCases, 'settleVerified' | 'isAdmin'>,
  around: Around,
) =>
  thenShow(
    'settling a verified query',
    async ({ person, value }) => {
      const key = readStalenessKey(value)
      if (!isAdmin(person)) return onlyAdmins
      return key && saySettled(await settleVerified({ key, decision, by: person, ownerOnly: false }))
    },
    around,
  )

/** Measures and indexes a database anew. It may take minutes; the old index serves meanwhile. */
export const makeHomeRebuild = (
  { rebuildIndex, isAdmin }: Pick<SlackUseCases, 'rebuildIndex' | 'isAdmin'>,
  around: Around,
) =>
  thenShow(
    'rebuilding an index',
    async ({ person, value, meanwhile }) => {
      if (!isAdmin(person)) return onlyAdmins
      await meanwhile(
        `The index of ${value} is being rebuilt. Questions are answered from the old one meanwhile.`,
      )
      const rebuilt = await rebuildIndex({ database: value, by: person })
      switch (rebuilt.status) {
        case 'rebuilt':
          return `The index of ${value} is rebuilt: ${rebuilt.tables} tables, ${rebuilt.values.toLocaleString('en-US')} values.`
        case 'not-admin':
          return onlyAdmins
        case 'unknown':
          return `There is no database ${value} any more.`
        default: {
          const never: never = rebuilt
          return never
        }
      }
    },
    around,
  )

const saySettled = (settled: SettledVerified): string => {
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
      return onlyAdmins
    default: {
      const never: never = settled
      return never
    }
  }
}
