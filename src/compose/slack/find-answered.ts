import type { AnsweredQuestion, FindAnsweredQuestion } from '../../core/answered-question.ts'
import type { Trace } from '../../core/trace.ts'
import type { Repositories } from '../../store/repositories/make-repositories.ts'

/** Makes the port over our store: the answer as it stands, first given or changed since, with what is said about it. */
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
      reviewRequests: humanRequests,
      votes,
      traces,
    } = repositories
    const question = await questions.find(questionId)
    const answer = question?.place ? await answers.find(questionId) : null
    if (!question?.place || !answer) return null
    const [revision, look, request, trace, count] = await Promise.all([
      answerRevisions.last(questionId),
      answerLooks.find(questionId),
      humanRequests.find(questionId),
      traces.find(questionId, now()),
      votes.count(questionId),
    ])
    const standing = revision ?? answer
    const outcome = trace?.outcome?.status === 'answered' ? trace.outcome : null
    const { candidateId } = standing
    const approved = request?.decided?.decision === 'approved' && request.sql === standing.sql
    return {
      question,
      place: question.place,
      sql: standing.sql,
      resultId: standing.resultId,
      confidence: answer.confidence,
      headline: standing.headline,
      assumptions: standing.assumptions,
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
      look: look ?? outcome?.show ?? null,
      // Of SQL that a person wrote it is not known.
      periods: trace && candidateId !== null ? periodsOf(trace) : [],
      filters: trace && candidateId !== null ? filtersOf(trace, candidateId) : [],
    } satisfies AnsweredQuestion
  }

/** "last month: 2026-10-01 to 2026-10-31 (Europe/Berlin)". The end is the last day that counts. */
const periodsOf = ({ understanding }: Trace): string[] =>
  (understanding?.spans ?? []).map(({ phrase, from, until }) => {
    const last = until === null ? null : dayBefore(until)
    const bounds =
      from === null
        ? `until ${last}`
        : last === null
          ? `from ${from}`
          : from === last
            ? from
            : `${from} to ${last}`
    return `${phrase}: ${bounds} (${understanding?.timeZone})`
  })

const dayBefore = (day: string): string => {
  const moment = new Date(`${day.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(moment.getTime())) return day
  return new Date(moment.getTime() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
}

const filtersOf = ({ candidates }: Trace, candidateId: string): string[] =>
  candidates
    .filter(({ id }) => id === candidateId)
    .flatMap(({ decisions }) => decisions.filter(({ kind }) => kind === 'value'))
    .map(({ phrase, label }) => (label === phrase ? label : `${phrase}: ${label}`))
