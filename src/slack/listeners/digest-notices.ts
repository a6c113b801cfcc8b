import type { View } from '@slack/types'
import { hiddenValue } from '../../domain/access/sees-value.ts'
import { parseDatabaseRef } from '../../domain/database.ts'
import type { Digest, DigestQuestion } from '../../domain/digests/digest.ts'
import type { RepairDecision, RequestedDigest } from '../../domain/digests/use-cases.ts'
import { noticeModal } from '../block-kit/modal.ts'
import { askAgainTexts, repairDecidedText, repairTitles } from '../copy/digest-forms.ts'
import { clickFailedText, noDirectMessagesText, withNextStep } from '../copy/phrases.ts'
import { slackErrorCode } from '../delivery/client.ts'
import { sendEphemeral } from '../delivery/private-messages.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { formatDigestRefusal, readRepairKey } from '../views/digests/format.ts'
import { repairDecisionView } from '../views/digests/notice.ts'
import { askOnBehalf, channelAbsentCodes, doubleClickKeys, tsToDate } from './ask-on-behalf.ts'
import { type Background, type ButtonClickArgs, readClick } from './clicks-and-forms.ts'
import { type DigestClick, findDigest, onDigestClick } from './digest-buttons.ts'
import type { HomeListenerDeps } from './home.ts'

/** `Accept` (the first or the second of two) and `Refuse` on a proposed repair, in the owner's notice or in the modal. */
export const makeRepairDecisionClick =
  (decision: RepairDecision, { digests }: Pick<SlackUseCases, 'digests'>, background: Background) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const key = readRepairKey(action.value)
    const person = body.user.id
    const team = body.team?.id ?? body.user.team_id ?? ''
    const click = readClick(body)
    if (!key) return
    /** If nothing was decided, a message stays as it is and a modal says so. */
    const notify = async (text: string): Promise<void> => {
      if (click) await sendEphemeral(client, click, text)
      else await showInModal(text)
    }
    const showInModal = async (text: string): Promise<void> => {
      const view = noticeModal({ title: repairTitles.modal, text }) as View
      if (body.view) await client.views.update({ view_id: body.view.id, view })
    }
    const decide = async (): Promise<void> => {
      const found = await findDigest(digests, { digestId: key.digestId, person, team })
      if (found.status === 'not-found') return notify(found.reason)
      const { digest } = found
      // Only the shown proposal is decided, not one that came since.
      const decided = await digests.decideRepair({ ...key, person, decision })
      if (decided.status === 'gone') return notify(repairDecidedText)
      if (decided.status !== 'changed') return notify(formatDigestRefusal(decided))
      const { text, blocks } = repairDecisionView(digest.title, decision, {
        isPaused: decided.digest.pause !== null,
      })
      if (!click) return showInModal(text)
      await client.chat.update({
        channel: click.channel,
        ts: click.message,
        text,
        blocks: [...blocks] as never,
      })
    }
    background.run('deciding a repair of a digest', async () => {
      try {
        await decide()
      } catch (error) {
        await notify(clickFailedText)
        throw error
      }
    })
  }

type Deps = Pick<SlackUseCases, 'digests' | 'ask' | 'findAskRefusal' | 'pendingQuestions'>

/**
 * `Ask again`: asks the question of a digest that no longer runs, where the digest goes, in the name of the person who
 * clicked. Its answer becomes a digest of theirs with the same schedule and target; the old one is left for them to
 * delete.
 */
export const makeDigestAskAgain = (deps: Deps, home: HomeListenerDeps) =>
  onDigestClick('asking the question of a digest again', click => askAgain(deps, click), deps, home)

const askAgain = async (deps: Deps, click: DigestClick): Promise<string> => {
  const { digest, person, team, request, args } = click
  const { client, action } = args
  const question = questionToAskAgain(digest)
  const text = question?.text ?? ''
  // Somebody else's question, with values that this person may not see.
  if (text.includes(hiddenValue)) return askAgainTexts.notReadable
  const { target } = digest
  const channel =
    target.kind === 'channel'
      ? target.channel
      : ((await client.conversations.open({ users: person })).channel?.id ?? null)
  if (channel === null) return noDirectMessagesText
  const location = { team, channel }
  const refused = await deps.findAskRefusal({ person, location })
  if (refused) return withNextStep(refused)
  // A digest to a person may use a database that can be asked only in a channel.
  if (question && (await deps.findAskRefusal({ person, location, asks: question.database })))
    return formatWrongDatabase(question.database)
  const requestedDigest: RequestedDigest = {
    schedule: digest.schedule.cron,
    timeZone: digest.schedule.timeZone,
    condition: digest.condition,
    target: target.kind === 'channel' ? target : { kind: 'person', person },
  }
  const pending = { key: `digest again ${request}`, person, team, channel, text, digest: requestedDigest }
  const claims = doubleClickKeys({ person, where: `digest ${digest.id}`, text }, tsToDate(action.action_ts))
  if (!(await deps.pendingQuestions.add(pending, claims))) return askAgainTexts.asked
  try {
    const done = await askOnBehalf(deps, client, pending)
    if (done.status !== 'not-allowed') return askAgainTexts.asked
    await deps.pendingQuestions.close(pending.key)
    return withNextStep(done)
  } catch (error) {
    // The person is told and can click again; nothing is asked without them.
    await deps.pendingQuestions.close(pending.key)
    if (!channelAbsentCodes.has(slackErrorCode(error) ?? '')) throw error
    return askAgainTexts.notInChannel
  }
}

/** The same words asked of another database are another question. */
const formatWrongDatabase = (databaseRef: string): string => {
  const { database, glossary } = parseDatabaseRef(databaseRef)
  return askAgainTexts.wrongDatabase(
    glossary === null ? database : askAgainTexts.withGlossary(database, glossary),
  )
}

/** The question whose SQL needs a repair; otherwise the first. */
const questionToAskAgain = ({ questions, repair }: Digest): DigestQuestion | undefined =>
  questions.find(({ id }) => id === repair?.questionId) ?? questions[0]
