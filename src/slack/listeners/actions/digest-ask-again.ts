import { parseDatabaseRef } from '../../../core/database-view.ts'
import type { Digest, DigestQuestion } from '../../../core/digest.ts'
import type { RequestedDigest } from '../../../core/digest-wish.ts'
import { slackErrorCode } from '../../delivery/slack-error-code.ts'
import type { SlackUseCases } from '../../use-cases.ts'
import { askOnBehalf } from '../ask-as-person.ts'
import { type DigestClick, type DigestListenerDeps, onDigestClick } from '../digest-click.ts'
import { channelAbsentCodes } from '../keep-promise.ts'
import { tsToDate } from '../ts-to-date.ts'
import { doubleClickKeys } from '../twin-claims.ts'

type Deps = Pick<SlackUseCases, 'digests' | 'ask' | 'whyMayNotAsk' | 'promises'>

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
  const refused = await deps.whyMayNotAsk({ person, place })
  if (refused) return `${refused.reason} ${refused.nextStep}`
  // What goes to one person may be of a database that is asked in a channel only.
  if (question && (await deps.whyMayNotAsk({ person, place, database: question.database })))
    return wrongDatabaseText(question.database)
  const wish: RequestedDigest = {
    schedule: digest.schedule.cron,
    timeZone: digest.schedule.timeZone,
    condition: digest.condition,
    target: target.kind === 'channel' ? target : { kind: 'person', person },
  }
  const promised = { key: `digest again ${request}`, person, team, channel, text, digest: wish }
  const claims = doubleClickKeys({ person, where: `digest ${digest.id}`, text }, tsToDate(action.action_ts))
  if (!(await deps.promises.add(promised, claims))) return askedAgainText
  try {
    const done = await askOnBehalf(deps, client, promised)
    if (done.status !== 'not-allowed') return askedAgainText
    await deps.promises.close(promised.key)
    return `${done.reason} ${done.nextStep}`
  } catch (error) {
    // The person is told, and clicks again: nothing is asked behind their back.
    await deps.promises.close(promised.key)
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
