import type { View } from '@slack/types'
import type { DigestUseCases } from '../../../core/digest-use-cases.ts'
import { truncateText } from '../../cut-text.ts'
import type { SlackUseCases } from '../../use-cases.ts'
import { digestToFields } from '../../views/digest-form.ts'
import { writeDigestKey } from '../../views/digest-key.ts'
import { digestSqlModal } from '../../views/digest-sql-modal.ts'
import { editDigestModal } from '../../views/edit-digest-modal.ts'
import { handOverModal } from '../../views/hand-over-modal.ts'
import { repairModal } from '../../views/repair-modal.ts'
import { formatDigestRefusal } from '../../views/say-digest-refusal.ts'
import { type DigestClick, type DigestListenerDeps, onDigestClick } from '../digest-click.ts'

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
