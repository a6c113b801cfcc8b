import type { BlockAction } from '@slack/bolt'
import type { View } from '@slack/types'
import type { Digest } from '../../domain/digest.ts'
import type { DigestUseCases } from '../../domain/digest-use-cases.ts'
import { truncateText } from '../block-kit/text.ts'
import { sendEphemeral } from '../delivery/private-messages.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { type DigestKey, readDigestKey, writeDigestKey } from '../views/digests/buttons.ts'
import { digestToFields } from '../views/digests/form.ts'
import { formatDigestRefusal } from '../views/digests/format.ts'
import { digestSqlModal, editDigestModal, handOverModal } from '../views/digests/modals.ts'
import { repairModal } from '../views/digests/notice.ts'
import type { Background } from './background.ts'
import { type ButtonClickArgs, readClick } from './clicks.ts'
import type { ShowHome } from './home.ts'

type Deps = Pick<SlackUseCases, 'digests'>

/** `Pause`, `Resume`, `Delete` and `Run now`. What was done already is no failure: a double click counts once. */
export const makeDigestActionClick = (
  does: 'pause' | 'resume' | 'remove' | 'runNow',
  deps: Deps,
  around: DigestListenerDeps,
) =>
  onDigestClick(
    `digest: ${does}`,
    async ({ digest, key, person, request }) => {
      // App Home is new after a click, so its second click is told by that.
      const seen = key.offset === null ? { seen: key.run } : {}
      const done = await applyDigestAction(deps.digests, does, {
        digestId: digest.id,
        person,
        request,
        ...seen,
      })
      return formatDigestActionResult(does, digest.title, done)
    },
    deps,
    around,
  )

/** What people do with a digest by a word: with buttons, and with the command. */
export type DigestAction = 'pause' | 'resume' | 'remove' | 'runNow'

/** Does it. */
export const applyDigestAction = (
  digests: DigestUseCases,
  does: DigestAction,
  given: Parameters<DigestUseCases['runNow']>[0],
): ReturnType<DigestUseCases['pause']> => {
  const { digestId, person } = given
  return does === 'runNow' ? digests.runNow(given) : digests[does]({ digestId, person })
}

/** Says what became of it. */
export const formatDigestActionResult = (
  does: DigestAction,
  title: string,
  done: Awaited<ReturnType<DigestUseCases['pause']>>,
): string =>
  done.status === 'changed'
    ? `“${truncateText(title, 150)}” ${actionResults[does]}`
    : `“${truncateText(title, 150)}”: ${formatDigestRefusal(done)}`

const actionResults: Readonly<Record<DigestAction, string>> = {
  pause: 'is paused. Resume it in my Home tab.',
  resume: 'runs again, from its next time on.',
  remove: 'is deleted.',
  runNow: 'is being run. It is posted in its place in a moment.',
}

/** `Edit`: the digest in a form. */
export const makeDigestEditClick = (deps: Deps, around: DigestListenerDeps) =>
  onDigestClick(
    'editing a digest',
    async click => {
      const { digest, key } = click
      const { words, timeZone } = digest.schedule
      const read = deps.digests.preview(words, timeZone)
      const fields = digestToFields(digest, { readsBack: read.status === 'read' && read.words === words })
      return openModal(click, editDigestModal({ digest, fields, metadata: writeDigestKey(key) }))
    },
    deps,
    around,
  )

/** `Hand over`: to whom, in a form. */
export const makeDigestHandOverClick = (deps: Deps, around: DigestListenerDeps) =>
  onDigestClick(
    'handing over a digest',
    click =>
      openModal(click, handOverModal({ title: click.digest.title, metadata: writeDigestKey(click.key) })),
    deps,
    around,
  )

/** `Show SQL`: what the run that is shown sent to the database; elsewhere the statements as they were saved. */
export const makeDigestShowSqlClick = (deps: Deps, around: DigestListenerDeps) =>
  onDigestClick(
    'showing the SQL of a digest',
    async click => {
      const { digest, key, person } = click
      const ran =
        key.run === null
          ? null
          : await deps.digests.findStatements({ digestId: digest.id, scheduledFor: key.run, person })
      return openModal(click, digestSqlModal(digest, ran))
    },
    deps,
    around,
  )

/** `Compare` and `Decide`: a proposed repair, whole. */
export const makeDigestCompareClick = (deps: Deps, around: DigestListenerDeps) =>
  onDigestClick(
    'showing a repair of a digest',
    async click => {
      const { digest } = click
      if (digest.repair === null) return 'There is no repair to decide: somebody was faster.'
      return openModal(click, repairModal(digest, digest.repair))
    },
    deps,
    around,
  )

const openModal = async ({ args }: DigestClick, view: unknown): Promise<null> => {
  await args.client.views.open({ trigger_id: args.body.trigger_id, view: view as View })
  return null
}

/** What the listeners of digests have around them. */
export interface DigestListenerDeps {
  readonly showHome: ShowHome
  readonly background: Background
}

/** A click on a button of a digest, by somebody who may. */
export interface DigestClick {
  readonly digest: Digest
  readonly key: DigestKey
  readonly person: string
  readonly team: string
  /** The same for a click that is delivered again. */
  readonly request: string
  readonly args: ButtonClickArgs
}

/** Told when a click broke. */
export const clickFailedText = 'That did not work. Try again in a moment; the log says more.'

/**
 * Makes the listener of a button of a digest, wherever it stands: what `act` says is told to whoever clicked, alone in the
 * channel of a message, or at the top of App Home. Null says nothing.
 */
export const onDigestClick =
  (
    what: string,
    act: (click: DigestClick) => Promise<string | null>,
    { digests }: Pick<SlackUseCases, 'digests'>,
    { showHome, background }: DigestListenerDeps,
  ) =>
  async (args: ButtonClickArgs): Promise<void> => {
    const { ack, action, body, client } = args
    await ack()
    const key = readDigestKey(action.value)
    const person = body.user.id
    const team = body.team?.id ?? body.user.team_id ?? ''
    if (!key) return
    const tell = async (said: string): Promise<void> => {
      const click = readClick(body)
      if (click) await sendEphemeral(client, click, said)
      else await showHome(client, { person, team }, said, key.offset ?? 0)
    }
    background.run(what, async () => {
      try {
        const found = await findDigest(digests, { digestId: key.digestId, person, team })
        const said =
          found.status === 'found'
            ? await act({ digest: found.digest, key, person, team, request: requestIdOf(args), args })
            : found.said
        if (said !== null) await tell(said)
      } catch (error) {
        await tell(clickFailedText)
        throw error
      }
    })
  }

/** App Home is new after every click that did something; in a message each click is one, and its use case joins two. */
const requestIdOf = ({ body, action }: { readonly body: BlockAction } & Pick<ButtonClickArgs, 'action'>) =>
  body.view
    ? `${body.view.id}:${body.view.hash}:${action.action_id}`
    : `${body.container?.message_ts}:${body.user.id}:${action.action_ts}`

/**
 * The digest that somebody clicked on, or why they may not see it. One of another workspace is not there: a button is good
 * only where it was posted (threat T7).
 */
export const findDigest = async (
  { find }: Pick<DigestUseCases, 'find'>,
  given: { readonly digestId: string; readonly person: string; readonly team: string },
): Promise<
  | { readonly status: 'found'; readonly digest: Digest }
  | { readonly status: 'not-found'; readonly said: string }
> => {
  const found = await find({ digestId: given.digestId, person: given.person })
  if (found === null) return digestNotFound
  if ('status' in found) return { status: 'not-found', said: `${found.reason} ${found.nextStep}` }
  return found.team === given.team ? { status: 'found', digest: found } : digestNotFound
}

const digestNotFound = { status: 'not-found', said: 'This digest is not there any more.' } as const
