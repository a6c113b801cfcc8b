import type { BlockAction } from '@slack/bolt'
import type { View } from '@slack/types'
import type { Digest } from '../../domain/digests/digest.ts'
import type { DigestUseCases } from '../../domain/digests/use-cases.ts'
import { truncateText } from '../block-kit/text.ts'
import { aboutDigest, type DigestAction, digestActionTexts, digestGoneText } from '../copy/digest.ts'
import { repairDecidedText } from '../copy/digest-forms.ts'
import { clickFailedText, withNextStep } from '../copy/phrases.ts'
import { sendEphemeral } from '../delivery/private-messages.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { digestToFields } from '../views/digests/form.ts'
import {
  type DigestKey,
  formatDigestRefusal,
  readDigestKey,
  writeDigestKey,
} from '../views/digests/format.ts'
import { digestSqlModal, editDigestModal, handOverModal } from '../views/digests/modals.ts'
import { repairModal } from '../views/digests/notice.ts'
import { type ButtonClickArgs, readClick } from './clicks-and-forms.ts'
import type { HomeListenerDeps } from './home.ts'

type Deps = Pick<SlackUseCases, 'digests'>

/** `Pause`, `Resume`, `Delete` and `Run now`. Doing it twice is no failure: a double click counts once. */
export const makeDigestActionClick = (action: DigestAction, deps: Deps, home: HomeListenerDeps) =>
  onDigestClick(
    `digest: ${action}`,
    async ({ digest, key, person, request }) => {
      // App Home changes after a click, so a second click there has another request id.
      const seen = key.offset === null ? { seen: key.run } : {}
      const done = await applyDigestAction(deps.digests, action, {
        digestId: digest.id,
        person,
        request,
        ...seen,
      })
      return formatDigestActionResult(action, digest.title, done)
    },
    deps,
    home,
  )

/** Applies an action to a digest, for buttons and for the command. */
export const applyDigestAction = (
  digests: DigestUseCases,
  action: DigestAction,
  given: Parameters<DigestUseCases['runNow']>[0],
): ReturnType<DigestUseCases['pause']> => {
  const { digestId, person } = given
  return action === 'runNow' ? digests.runNow(given) : digests[action]({ digestId, person })
}

/** Says how an action ended. */
export const formatDigestActionResult = (
  action: DigestAction,
  title: string,
  done: Awaited<ReturnType<DigestUseCases['pause']>>,
): string =>
  done.status === 'changed'
    ? digestActionTexts[action](truncateText(title, LONGEST_TITLE))
    : aboutDigest(truncateText(title, LONGEST_TITLE), formatDigestRefusal(done))

const LONGEST_TITLE = 150

/** `Edit`: the digest in a form. */
export const makeDigestEditClick = (deps: Deps, home: HomeListenerDeps) =>
  onDigestClick(
    'editing a digest',
    async click => {
      const { digest, key } = click
      const { words, timeZone } = digest.schedule
      const preview = deps.digests.preview(words, timeZone)
      const fields = digestToFields(digest, {
        readsBack: preview.status === 'read' && preview.words === words,
      })
      return openModal(click, editDigestModal({ digest, fields, metadata: writeDigestKey(key) }))
    },
    deps,
    home,
  )

/** `Hand over`: asks for the new owner in a form. */
export const makeDigestHandOverClick = (deps: Deps, home: HomeListenerDeps) =>
  onDigestClick(
    'handing over a digest',
    click =>
      openModal(click, handOverModal({ title: click.digest.title, metadata: writeDigestKey(click.key) })),
    deps,
    home,
  )

/** `Show SQL`: what the shown run sent to the database; elsewhere the queries as they were saved. */
export const makeDigestShowSqlClick = (deps: Deps, home: HomeListenerDeps) =>
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
    home,
  )

/** `Compare` and `Decide`: a proposed repair, whole. */
export const makeDigestCompareClick = (deps: Deps, home: HomeListenerDeps) =>
  onDigestClick(
    'showing a repair of a digest',
    async click => {
      const { digest } = click
      if (digest.repair === null) return repairDecidedText
      return openModal(click, repairModal(digest, digest.repair))
    },
    deps,
    home,
  )

const openModal = async ({ args }: DigestClick, view: unknown): Promise<null> => {
  await args.client.views.open({ trigger_id: args.body.trigger_id, view: view as View })
  return null
}

/** A click on a button of a digest, by a person with permission. */
export interface DigestClick {
  readonly digest: Digest
  readonly key: DigestKey
  readonly person: string
  readonly team: string
  /** The same for a click that is delivered again. */
  readonly request: string
  readonly args: ButtonClickArgs
}

/**
 * Makes the listener of a digest button in a message or in App Home. The person who clicked sees the text that `act`
 * returns, privately in the channel or at the top of App Home; null shows nothing.
 */
export const onDigestClick =
  (
    what: string,
    act: (click: DigestClick) => Promise<string | null>,
    { digests }: Pick<SlackUseCases, 'digests'>,
    { showHome, background }: HomeListenerDeps,
  ) =>
  async (args: ButtonClickArgs): Promise<void> => {
    const { ack, action, body, client } = args
    await ack()
    const key = readDigestKey(action.value)
    const person = body.user.id
    const team = body.team?.id ?? body.user.team_id ?? ''
    if (!key) return
    const notify = async (text: string): Promise<void> => {
      const click = readClick(body)
      if (click) await sendEphemeral(client, click, text)
      else await showHome(client, { person, team }, text, key.offset ?? 0)
    }
    background.run(what, async () => {
      try {
        const found = await findDigest(digests, { digestId: key.digestId, person, team })
        const text =
          found.status === 'found'
            ? await act({ digest: found.digest, key, person, team, request: requestIdOf(args), args })
            : found.reason
        if (text !== null) await notify(text)
      } catch (error) {
        await notify(clickFailedText)
        throw error
      }
    })
  }

/** App Home changes after each click that did something; in a message each click counts, and its use case joins two. */
const requestIdOf = ({ body, action }: { readonly body: BlockAction } & Pick<ButtonClickArgs, 'action'>) =>
  body.view
    ? `${body.view.id}:${body.view.hash}:${action.action_id}`
    : `${body.container?.message_ts}:${body.user.id}:${action.action_ts}`

/**
 * The digest that a person clicked on, or why they cannot see it. A digest of another workspace is not found: a button is
 * valid only where it was posted.
 */
export const findDigest = async (
  { find }: Pick<DigestUseCases, 'find'>,
  given: { readonly digestId: string; readonly person: string; readonly team: string },
): Promise<
  | { readonly status: 'found'; readonly digest: Digest }
  | { readonly status: 'not-found'; readonly reason: string }
> => {
  const found = await find({ digestId: given.digestId, person: given.person })
  if (found === null) return digestNotFound
  if ('status' in found) return { status: 'not-found', reason: withNextStep(found) }
  return found.team === given.team ? { status: 'found', digest: found } : digestNotFound
}

const digestNotFound = { status: 'not-found', reason: digestGoneText } as const
