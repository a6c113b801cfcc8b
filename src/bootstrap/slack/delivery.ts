import type { NotifyPrivately } from '../../answering/rate-limits.ts'
import type { makeReadVerified } from '../../answering/readable.ts'
import type { CheckAudience } from '../../domain/access/access.ts'
import type { AnsweredQuestion, FindAnsweredQuestion } from '../../domain/answer.ts'
import type { Delivery } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { Trace } from '../../domain/trace.ts'
import type { AskOwner } from '../../domain/verified-query.ts'
import { formatDays } from '../../lib/format-figure.ts'
import {
  type CredentialsOf,
  perTeam,
  type RefusedBy,
  routeDelivery,
  type TeamOfQuestion,
} from '../../slack/by-team.ts'
import type { BuildAnswerMessage } from '../../slack/delivery/answer-message.ts'
import { makeSlackClient } from '../../slack/delivery/client.ts'
import { makeDelivery, makeRemoveAnswer, type RemoveAnswer } from '../../slack/delivery/delivery.ts'
import {
  makeFindInThread,
  makePostFirstMessage,
  makeStartStream,
} from '../../slack/delivery/first-message.ts'
import { makePlaceOutcome } from '../../slack/delivery/place-answer.ts'
import { makeUpdateMessage } from '../../slack/delivery/post-message.ts'
import { makeNotifyRefusal } from '../../slack/delivery/private-messages.ts'
import { makeProgress } from '../../slack/delivery/progress.ts'
import { makeNotifyQueryOwner } from '../../slack/delivery/review-requests.ts'
import type { Repositories } from '../../store/repositories/repositories.ts'
import type { OwnStore } from '../own-store.ts'
import type { Workspaces } from './workspaces.ts'

/** The delivery to Slack, one per workspace, with a client for each kind of call. */
export const makeSlackDelivery = (deps: {
  readonly credentialsOf: CredentialsOf
  readonly teamOf: TeamOfQuestion
  readonly own: Pick<OwnStore, 'store'>
  readonly findAnswered: FindAnsweredQuestion
  readonly buildMessage: BuildAnswerMessage
  readonly examples: (database: string) => Promise<readonly string[]>
  readonly audience: CheckAudience
  readonly refusedBy: RefusedBy
  readonly now: () => Date
  readonly log: Log
}): Delivery => {
  const { now, log } = deps
  const { repositories, loadResult } = deps.own.store
  const outbound = repositories.outboundMessages
  const of = perTeam(deps.credentialsOf, credentials => {
    const client = makeSlackClient(credentials)
    // A failed call may have worked all the same: the caller decides whether to repeat it.
    const poster = makeSlackClient({ ...credentials, retries: 0, failWhenLimited: true })
    const impatientClient = makeSlackClient({ ...credentials, retries: 0, failWhenLimited: true })
    const refused = deps.refusedBy(credentials)
    const update = makeUpdateMessage({ client, refused, log })
    return makeDelivery({
      noRetryClient: impatientClient,
      update,
      place: makePlaceOutcome({
        ...{ client, poster, update, outbound, refused, now, log },
        audience: ({ question, location }) =>
          deps.audience({ ...location, database: question.database }, { isFresh: true }),
      }),
      progress: makeProgress({ client: impatientClient, update, now, log }),
      postFirst: makePostFirstMessage({
        findInThread: makeFindInThread({ client, log }),
        poster,
        startStream: makeStartStream(poster),
        ...{ outbound, refused, now, log },
      }),
      outbound,
      findAnswered: deps.findAnswered,
      buildMessage: deps.buildMessage,
      loadResult,
      remove: makeRemoveAnswer({ client, outbound }),
      examples: deps.examples,
      log,
    })
  })
  return routeDelivery(of, deps.teamOf)
}

/** What the bot posts besides answers and digests. */
interface Notifications {
  /** Notifies a person privately; `admins` are named as contacts. */
  makeNotifyPrivately(admins: readonly string[]): NotifyPrivately
  readonly removeAnswer: RemoveAnswer
  readonly askOwner: AskOwner
}

/** Each notification goes to the workspace it is about. */
export const makeNotifications = (
  { store: { repositories } }: Pick<OwnStore, 'store'>,
  deps: {
    readonly workspaces: Pick<Workspaces, 'credentialsOf' | 'only'>
    readonly teamOf: TeamOfQuestion
    /** A verified query as its owner may read it. */
    readonly readVerified: ReturnType<typeof makeReadVerified>
    readonly now: () => Date
    readonly log: Log
  },
): Notifications => {
  const { teamOf, now, log } = deps
  const { credentialsOf, only } = deps.workspaces
  const clientOf = perTeam(credentialsOf, credentials => makeSlackClient(credentials))
  const withoutRetriesOf = perTeam(credentialsOf, credentials =>
    makeSlackClient({ ...credentials, retries: 0 }),
  )
  const ownerNoticeIn = (team: string): AskOwner =>
    makeNotifyQueryOwner({
      client: clientOf(team),
      poster: withoutRetriesOf(team),
      notices: repositories.verifiedNotices,
      now,
      log,
    })
  return {
    makeNotifyPrivately: admins => (location, person, refusal, options) =>
      makeNotifyRefusal({ client: withoutRetriesOf(location.team), admins, log })(
        location,
        person,
        refusal,
        options,
      ),
    removeAnswer: async questionId => {
      const team = await teamOf(questionId)
      if (team === null) return
      const outbound = repositories.outboundMessages
      await makeRemoveAnswer({ client: clientOf(team), outbound })(questionId)
    },
    askOwner: async (query, since) => {
      // Verified queries belong to a database, which several workspaces may ask: the owner is reached where they last
      // asked.
      const { savedBy } = query
      const team = only ? '' : savedBy && (await repositories.questions.lastTeamOf(savedBy))
      if (team === null)
        return log.info({ queryId: query.id }, 'the owner of a verified query is in no known workspace')
      const reader = { person: savedBy ?? '', team }
      await ownerNoticeIn(team)(await deps.readVerified(query, reader), since)
    },
  }
}

/** Reads the current answer, first or changed, with votes and review. */
export const makeFindAnswered =
  (
    repositories: Pick<
      Repositories,
      'questions' | 'answers' | 'answerRevisions' | 'answerViews' | 'reviewRequests' | 'votes' | 'traces'
    >,
    now: () => Date,
  ): FindAnsweredQuestion =>
  async questionId => {
    const {
      questions,
      answers,
      answerRevisions,
      answerViews: answerLooks,
      reviewRequests,
      votes,
      traces,
    } = repositories
    const question = await questions.find(questionId)
    const answer = question?.place ? await answers.find(questionId) : null
    if (!question?.place || !answer) return null
    const [revision, look, request, trace, count] = await Promise.all([
      answerRevisions.last(questionId),
      answerLooks.find(questionId),
      reviewRequests.find(questionId),
      traces.find(questionId, now()),
      votes.count(questionId),
    ])
    const current = revision ?? answer
    const outcome = trace?.outcome?.status === 'answered' ? trace.outcome : null
    const { candidateId } = current
    const approved = request?.decided?.decision === 'approved' && request.sql === current.sql
    return {
      question,
      location: question.place,
      sql: current.sql,
      resultId: current.resultId,
      confidence: answer.confidence,
      headline: current.headline,
      assumptions: current.assumptions,
      alternatives: [
        ...(revision ? [{ label: 'the first answer', hint: '', candidateId: answer.candidateId }] : []),
        ...(outcome?.alternatives ?? []),
      ].filter(one => one.candidateId !== candidateId),
      votes: count,
      candidateId,
      answeredAt: revision?.madeAt ?? answer.readAt,
      ...(!revision &&
        answer.readAt < answer.answeredAt && {
          cachedForMs: answer.answeredAt.getTime() - answer.readAt.getTime(),
        }),
      revision: revision && { kind: revision.kind, person: revision.person },
      approvedBy: approved ? (request.decided?.by ?? null) : null,
      display: look ?? outcome?.show ?? null,
      // Unknown for SQL a person wrote.
      periods: trace && candidateId !== null ? periodsOf(trace, current.assumptions) : [],
      filters: trace && candidateId !== null ? filtersOf(trace, candidateId) : [],
    } satisfies AnsweredQuestion
  }

/**
 * "last month: Oct 1 to 31, 2026 (Europe/Berlin)". The last day is included. What the assumptions say already is left
 * out.
 */
const periodsOf = ({ understanding }: Trace, assumptions: readonly string[]): string[] => {
  return (understanding?.spans ?? [])
    .filter(
      ({ phrase, from, until }) =>
        !assumptions.some(one => one.includes(phrase) || one.includes(formatDays(from, until))),
    )
    .map(({ phrase, from, until }) => `${phrase}: ${formatDays(from, until)} (${understanding?.timeZone})`)
}

const filtersOf = ({ candidates }: Trace, candidateId: string): string[] =>
  candidates
    .filter(({ id }) => id === candidateId)
    .flatMap(({ decisions }) => decisions.filter(({ kind }) => kind === 'value'))
    .map(({ phrase, label }) => (label === phrase ? label : `${phrase}: ${label}`))
