import type { Digest } from '../../../core/digest.ts'
import type { WishedDigest } from '../../../core/digest-wish.ts'
import { slackErrorCode } from '../../delivery/slack-error-code.ts'
import type { SlackUseCases } from '../../use-cases.ts'
import { askAsPerson } from '../ask-as-person.ts'
import { type AroundDigests, type DigestClick, onDigestClick } from '../digest-click.ts'
import { notThere } from '../keep-promise.ts'
import { tsToDate } from '../ts-to-date.ts'
import { twinClaims } from '../twin-claims.ts'

type Deps = Pick<SlackUseCases, 'digests' | 'ask' | 'whyMayNotAsk' | 'promises'>

/**
 * `Ask again`: asks the question of a digest that does not run any more where the digest goes, in the name of whoever
 * clicked. Its answer becomes a digest of theirs, due and posted as this one was; this one is left for them to delete.
 */
export const makeDigestAskAgain = (deps: Deps, around: AroundDigests) =>
  onDigestClick('asking the question of a digest again', click => askAgain(deps, click), deps, around)

const askAgain = async (deps: Deps, click: DigestClick): Promise<string> => {
  const { digest, person, team, request, args } = click
  const { client, action } = args
  const text = brokenQuestion(digest)
  const { target } = digest
  const channel =
    target.kind === 'channel'
      ? target.channel
      : ((await client.conversations.open({ users: person })).channel?.id ?? null)
  if (channel === null) return 'Your messages with me could not be opened. Write to me yourself, once.'
  const wish: WishedDigest = {
    schedule: digest.schedule.cron,
    timeZone: digest.schedule.timeZone,
    condition: digest.condition,
    target: target.kind === 'channel' ? target : { kind: 'person', person },
  }
  const promised = { key: `digest again ${request}`, person, team, channel, text, digest: wish }
  const claims = twinClaims({ person, where: `digest ${digest.id}`, text }, tsToDate(action.action_ts))
  if (!(await deps.promises.make(promised, claims))) return asked
  try {
    const done = await askAsPerson(deps, client, promised)
    if (done.status !== 'not-allowed') return asked
    await deps.promises.close(promised.key)
    return `${done.reason} ${done.nextStep}`
  } catch (error) {
    // The person is told, and clicks again: nothing is asked behind their back.
    await deps.promises.close(promised.key)
    if (!notThere.has(slackErrorCode(error) ?? '')) throw error
    return 'I am not in the channel of this digest. Invite me there with /invite @querent, or choose another place under Edit.'
  }
}

const asked =
  'Asked where the digest goes. Once it is answered, the answer becomes a new digest; delete this one then.'

/** The question that a repair was looked for; else its first. */
const brokenQuestion = ({ questions, repair }: Digest): string =>
  (questions.find(({ id }) => id === repair?.questionId) ?? questions[0])?.text ?? ''
