import { makeFixByRule } from '../../../graphs/answer/fixes/fix-by-rule.ts'
import { makeFixWithModel } from '../../../graphs/answer/fixes/fix-with-model.ts'
import { makeAnswerRuns } from '../../../graphs/answer/index.ts'
import { makeJudgeWithModel } from '../../../graphs/answer/pairwise/judge-with-model.ts'
import { ratePairByScore } from '../../../graphs/answer/pairwise/rate-by-score.ts'
import { makeSemanticParserPath } from '../../../graphs/answer/paths/semantic-parser.ts'
import { makeVerifiedPath } from '../../../graphs/answer/paths/verified-example.ts'
import { makeFindExamples } from '../../../graphs/answer/verified/find-examples.ts'
import { exampleQuestions } from '../../app/home/example-questions.ts'
import { type AnswerQuestion, makeAnswerQuestion } from '../../app/questions/answer-question.ts'
import { makeResumeQuestion, type ResumeQuestion } from '../../app/questions/resume-question.ts'
import type { Resources } from '../../compose.ts'
import type { AnswerReuse } from '../../core/answer-memory.ts'
import type { AnswerRuns } from '../../core/answer-runs.ts'
import { parseDatabaseRef } from '../../core/database-view.ts'
import type { DraftPath } from '../../core/draft.ts'
import type { ListRules } from '../../core/proposed-rule.ts'
import type { Question } from '../../core/question.ts'
import type { RunContext } from '../../core/run-context.ts'
import type { LoadResult } from '../../core/saved-result.ts'
import type { ListVerified } from '../../core/verified-query.ts'
import { renderDdl } from '../../databases/catalog/render-ddl.ts'
import { widenSchema } from '../../databases/linking/widen-schema.ts'
import { columnsKey } from '../../selection/columns-key.ts'
import { findEvidence } from '../../selection/evidence/find-evidence.ts'
import { makeVerifiedSimilarity } from '../../selection/evidence/verified-likeness.ts'
import { measureGroups } from '../../selection/features/group/measure-groups.ts'
import { groupCandidates } from '../../selection/group-candidates.ts'
import type { SelectorModel } from '../../selection/pairwise/selector-model.ts'
import { probePair } from '../../selection/probes/probe-pair.ts'
import { resultKey } from '../../selection/result-key.ts'
import { countVotes } from '../../selection/standing/count-votes.ts'
import { makeStoppingRule } from '../../selection/standing/judge-standing.ts'
import { makeRateTally } from '../../selection/standing/rate-standing.ts'
import { shippedStoppingModel } from '../../selection/standing/shipped-model.ts'
import type { StoppingModel } from '../../selection/standing/standing-model.ts'
import { findUnknownTerms } from '../../semantic-parser/answerable/find-unknown-things.ts'
import { rateAnswerability } from '../../semantic-parser/answerable/rate-fit.ts'
import { makeReadFollowUp } from '../../semantic-parser/follow-up/read-follow-up.ts'
import { makeParseQuestion } from '../../semantic-parser/parse-question.ts'
import { trainedModel } from '../../semantic-parser/rank/trained-model.ts'
import { understandQuestion } from '../../semantic-parser/understand/understand-question.ts'
import { withRunContext } from '../audit/runs-in-context.ts'
import { withAcceptedRules } from '../databases/with-accepted-rules.ts'
import { makeSchemaLinker } from '../models/make-linker.ts'
import { makeModelDraftPaths } from '../models/make-model-paths.ts'
import { type ModelAccounting, makeModels } from '../models/make-models.ts'
import { findDescribedClarification } from '../slack/find-clarification-in-words.ts'
import {
  fixedChampion,
  makeMemoryQuestionStorage,
  makeStoreQuestionStorage,
  type QuestionStorage,
} from '../store/keep-work.ts'
import { cacheVerifiedBriefly } from '../store/read-briefly.ts'

/** Everything that a question needs. */
export interface Answering {
  readonly answer: AnswerQuestion
  readonly resume: ResumeQuestion
  readonly loadResult: LoadResult
  readonly keepQuestion: (question: Question) => Promise<void>
  readonly forget: (questionId: string) => Promise<void>
}

/** Wires the answer graph. `model` is what `--model` says: `none`, a name, or null for the configuration's own. */
export const makeAnswering = async (
  resources: Resources,
  options: {
    readonly model: string | null
    readonly kept: 'in-memory' | 'in-store'
    /** A path that stands in for all that models would draft (replay). */
    readonly drafter?: DraftPath
    /** Another model of the vote than the shipped one (folds). */
    readonly standing?: Pick<StoppingModel, 'rating' | 'going'>
    /** Another selector than the champion of the store (folds). */
    readonly selector?: SelectorModel
    /** Where verified queries are read in place of the store that keeps the question; nowhere without either. */
    readonly listVerified?: ListVerified
    /** Where accepted rules are read, likewise. */
    readonly listRules?: ListRules
    /** Answers of a while ago that may be shown again; none without it. */
    readonly answerMemory?: AnswerReuse
    /** On whose account a question is that was asked nowhere, where that is somebody's; null for the others. */
    readonly contextOf?: (questionId: string) => RunContext | null
    /** Holds runs to the rights of who asks; without it everybody may, as in a shell. */
    readonly guardRuns?: (runs: AnswerRuns) => AnswerRuns
  },
): Promise<Answering> => {
  const { config, log, openDatabase } = resources
  const inSpan = await resources.inSpan()
  const keep =
    options.kept === 'in-store'
      ? makeStoreQuestionStorage(await resources.ownStore(), log)
      : makeMemoryQuestionStorage()
  const contextOf: QuestionStorage['contextOf'] = async questionId =>
    options.contextOf?.(questionId) ?? keep.contextOf(questionId)
  const models = options.drafter
    ? null
    : await makeModels(config, options.model, {
        books: accountingOf(keep.modelLedger, contextOf),
        log,
        inSpan,
        metrics: resources.metrics,
      })
  const standing = options.standing ?? shippedStoppingModel
  const linkSchema = await makeSchemaLinker(config, { named: options.drafter ? 'none' : options.model, log })
  const parse = makeParseQuestion(trainedModel)
  const readFollowUp = makeReadFollowUp(trainedModel, understandQuestion)
  const kept = options.listVerified ?? keep.listVerified
  const listRules = options.listRules ?? keep.listRules
  const verified = kept && { listVerified: cacheVerifiedBriefly(kept, Date.now), parse }
  const runs = makeAnswerRuns(
    {
      database: listRules ? withAcceptedRules(openDatabase, { listRules, now: Date.now, log }) : openDatabase,
      understand: understandQuestion,
      loadTranscript: keep.loadTranscript,
      readFollowUp,
      exampleQuestions,
      findUnknownThings: findUnknownTerms,
      rateFit: rateAnswerability,
      whoToAsk: name => config.databases[parseDatabaseRef(name).database]?.owner ?? null,
      ...(models ? { askForKeywords: models.askForKeywords, askForRewrite: models.askForRewrite } : {}),
      linkSchema,
      widenSchema,
      paths: [
        makeSemanticParserPath({ parse, readFollowUp }),
        ...(verified ? [makeVerifiedPath(verified)] : []),
        ...(options.drafter ? [options.drafter] : []),
        ...(models
          ? makeModelDraftPaths(models, {
              linkSchema,
              ...(verified && { findExamples: makeFindExamples(verified) }),
            })
          : []),
      ],
      fixers: [
        makeFixByRule(),
        ...(models ? [makeFixWithModel({ askForSql: models.askForSql, renderSchema: renderDdl })] : []),
      ],
      resultKey,
      columnsKey,
      findEvidence,
      groupCandidates,
      countVotes,
      rateStanding: makeRateTally(standing),
      judgeStanding: makeStoppingRule(standing),
      selector: {
        measure: measureGroups,
        champion: options.selector ? fixedChampion(options.selector) : keep.champion,
        saveSnapshot: keep.saveSnapshot,
        ...(verified && {
          verified: { listVerified: verified.listVerified, likenessTo: makeVerifiedSimilarity },
        }),
      },
      drafting: config.drafting,
      pairwise: models && {
        judge: makeJudgeWithModel({
          askForJudgement: models.askForJudgement,
          renderSchema: renderDdl,
          seesRows: config.models?.judgeSeesRows ?? true,
        }),
        rate: ratePairByScore,
        // The full mode reproduces CHASE-SQL, whose judge also knows what the team means by its words.
        ...(config.drafting.mode === 'adaptive' && { probe: probePair }),
      },
      findClarification: findDescribedClarification,
      ...(options.answerMemory && { answerMemory: options.answerMemory }),
      ...(verified && {
        listVerifiedIds: async (database: string) =>
          (await verified.listVerified(database)).map(({ id }) => id),
      }),
      workbench: keep.runStore,
      saveResult: keep.saveResult,
      loadResult: keep.loadResult,
      loadHeads: keep.loadHeads,
      inSpan,
      spansTellQuestions: config.telemetry.questionText,
      thresholds: { answer: config.answer.minimumConfidence, ask: config.answer.costOfAsking },
    },
    keep.checkpoints.checkpointer,
  )
  const { inRunContext, checkQuota: checkReading } = resources
  const booked = withRunContext(runs, { inRunContext, contextOf, checkReading })
  const useCase = { runs: options.guardRuns?.(booked) ?? booked, questions: keep.questions, log }
  return {
    answer: makeAnswerQuestion(useCase),
    resume: makeResumeQuestion(useCase),
    loadResult: keep.loadResult,
    keepQuestion: keep.keepQuestion,
    forget: keep.forget,
  }
}

const accountingOf = (
  ledger: QuestionStorage['modelLedger'],
  contextOf: QuestionStorage['contextOf'],
): ModelAccounting => ({
  ledger,
  askedBy: async questionId => (await contextOf(questionId)).person,
  askedIn: async questionId => (await contextOf(questionId)).channel,
})
