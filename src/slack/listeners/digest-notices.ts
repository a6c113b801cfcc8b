import type { View } from '@slack/types'
import { parseDatabaseRef } from '../../domain/database.ts'
import type { Digest, DigestQuestion } from '../../domain/digest.ts'
import type { RepairDecision, RequestedDigest } from '../../domain/digest-use-cases.ts'
import { noticeModal } from '../block-kit/modal.ts'
import { sendEphemeral } from '../delivery/private-messages.ts'
import { slackErrorCode } from '../delivery/slack-errors.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { readRepairKey } from '../views/digests/buttons.ts'
import { formatDigestRefusal } from '../views/digests/format.ts'
import { repairDecisionView } from '../views/digests/notice.ts'
import { askOnBehalf, channelAbsentCodes, doubleClickKeys, tsToDate } from './ask-on-behalf.ts'
import type { Background } from './background.ts'
import { type ButtonClickArgs, readClick } from './clicks.ts'
import {
  clickFailedText,
  type DigestClick,
  type DigestListenerDeps,
  findDigest,
  onDigestClick,
} from './digest-buttons.ts'

const repairDecidedText =
  'There is nothing to decide any more: somebody was faster, or another repair came since.'

/** `Accept`, also of the second of two, and `Refuse` on a proposed repair, in the notice to the owner or in the modal that compares. */
export const makeRepairDecisionClick =
  (decision: RepairDecision, { digests }: Pick<SlackUseCases, 'digests'>, background: Background) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const key = readRepairKey(action.value)
    const person = body.user.id
    const team = body.team?.id ?? body.user.team_id ?? ''
    const click = readClick(body)
    if (!key) return
    /** A message stays as it is where nothing was decided; a modal says so. */
    const tell = async (said: string): Promise<void> => {
      if (click) await sendEphemeral(client, click, said)
      else await showInModal(said)
    }
    const showInModal = async (said: string): Promise<void> => {
      const view = noticeModal('Repair of a digest', said) as View
      if (body.view) await client.views.update({ view_id: body.view.id, view })
    }
    const decide = async (): Promise<void> => {
      const found = await findDigest(digests, { digestId: key.digestId, person, team })
      if (found.status === 'not-found') return tell(found.said)
      const { digest } = found
      // What was shown is decided, and nothing that was proposed since.
      const decided = await digests.decideRepair({ ...key, person, decision })
      if (decided.status === 'gone') return tell(repairDecidedText)
      if (decided.status !== 'changed') return tell(formatDigestRefusal(decided))
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
        await tell(clickFailedText)
        throw error
      }
    })
  }

type Deps = Pick<SlackUseCases, 'digests' | 'ask' | 'findAskRefusal' | 'pendingQuestions'>

/**
 * `Ask again`: asks the question of a digest that does not run any more where the digest goes, in the name of whoever
 * clicked. Its answer becomes a digest of theirs, due and posted as this one was; this one is left for them to delete.
 */
export const makeDigestAskAgain = (deps: Deps, around: DigestListenerDeps) =>
  onDigestClick('asking the question of a digest again', click => askAgain(deps, click), deps, around)

const askAgain = async (deps: Deps, click: DigestClick): Promise<string> => {
  const { digest, person, team, request, args } = click
  const { client, action } = args
  const question = questionToAskAgain(digest)
  const text = question?.text ?? ''
  const { target } = digest
  const channel =
    target.kind === 'channel'
      ? target.channel
      : ((await client.conversations.open({ users: person })).channel?.id ?? null)
  if (channel === null) return 'Your messages with me could not be opened. Write to me yourself, once.'
  const place = { team, channel }
  const refused = await deps.findAskRefusal({ person, location: place })
  if (refused) return `${refused.reason} ${refused.nextStep}`
  // What goes to one person may be of a database that is asked in a channel only.
  if (question && (await deps.findAskRefusal({ person, location: place, database: question.database })))
    return wrongDatabaseText(question.database)
  const wish: RequestedDigest = {
    schedule: digest.schedule.cron,
    timeZone: digest.schedule.timeZone,
    condition: digest.condition,
    target: target.kind === 'channel' ? target : { kind: 'person', person },
  }
  const promised = { key: `digest again ${request}`, person, team, channel, text, digest: wish }
  const claims = doubleClickKeys({ person, where: `digest ${digest.id}`, text }, tsToDate(action.action_ts))
  if (!(await deps.pendingQuestions.add(promised, claims))) return askedAgainText
  try {
    const done = await askOnBehalf(deps, client, promised)
    if (done.status !== 'not-allowed') return askedAgainText
    await deps.pendingQuestions.close(promised.key)
    return `${done.reason} ${done.nextStep}`
  } catch (error) {
    // The person is told, and clicks again: nothing is asked behind their back.
    await deps.pendingQuestions.close(promised.key)
    if (!channelAbsentCodes.has(slackErrorCode(error) ?? '')) throw error
    return 'I am not in the channel of this digest. Invite me there with /invite @querent, or choose another place under Edit.'
  }
}

const askedAgainText =
  'Asked where the digest goes. Once it is answered, the answer becomes a new digest; delete this one then.'

/** The same words asked of something else are another question. */
const wrongDatabaseText = (asked: string): string => {
  const { database, glossary } = parseDatabaseRef(asked)
  const what = glossary === null ? database : `${database} with the glossary ${glossary}`
  return `Where this digest goes I do not ask ${what}, so nothing was asked. Ask the question in a channel where I do, and press Schedule under its answer.`
}

/** The question that a repair was looked for; else its first. */
const questionToAskAgain = ({ questions, repair }: Digest): DigestQuestion | undefined =>
  questions.find(({ id }) => id === repair?.questionId) ?? questions[0]
