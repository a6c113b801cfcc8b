import { makeJudgeWithModel, ratePairByScore } from '../../../graphs/answer/comparison/pair-judges.ts'
import type { AnswerDeps } from '../../../graphs/answer/deps.ts'
import { makeMetricQueryPath } from '../../../graphs/answer/drafting/metric-query-path.ts'
import { makeSemanticParserPath } from '../../../graphs/answer/drafting/parser-path.ts'
import { makeVerifiedPath } from '../../../graphs/answer/drafting/verified-path.ts'
import { makePhraseHeadline } from '../../../graphs/answer/headline/phrase-headline.ts'
import { makeFixByRule } from '../../../graphs/answer/repair/fix-by-rule.ts'
import { makeFixWithModel } from '../../../graphs/answer/repair/fix-with-model.ts'
import { makeRunsByStrategy } from '../../../graphs/answer/strategy-runs.ts'
import { makeFindNearest } from '../../../graphs/answer/verified/nearest-questions.ts'
import { makeFindExamples } from '../../../graphs/answer/verified/similar-questions.ts'
import type { AgentStrategy } from '../../../graphs/strategies/shared/agent-strategy.ts'
import { exampleQuestions } from '../../answering/example-questions.ts'
import {
  type AnswerQuestion,
  makeAnswerQuestion,
  makeResumeQuestion,
  type ResumeQuestion,
} from '../../answering/run-question.ts'
import { withRunContext } from '../../audit/run-contexts.ts'
import { makeFindClarification } from '../../clarification/find-clarification.ts'
import { renderDdl } from '../../databases/catalog/render-schema.ts'
import { withAcceptedRules } from '../../databases/knowledge/open-with-knowledge.ts'
import { widenSchema } from '../../databases/schema-linking/link-schema.ts'
import type { AnswerRuns } from '../../domain/answer.ts'
import type { AnswerReuse } from '../../domain/answer-cache.ts'
import type { DraftPath } from '../../domain/candidate.ts'
import type { FindClarification } from '../../domain/clarification.ts'
import { parseDatabaseRef } from '../../domain/database.ts'
import { QuerentError } from '../../domain/errors.ts'
import type { ListRules } from '../../domain/knowledge.ts'
import type { RunContext } from '../../domain/operations/audit.ts'
import type { Question } from '../../domain/question.ts'
import type { LoadResult } from '../../domain/result.ts'
import type { DecidePairWinner } from '../../domain/selection/pairwise.ts'
import {
  type AgentStrategyName,
  type AskAgent,
  isAgentStrategy,
  type StrategyName,
} from '../../domain/strategies/strategy.ts'
import type { ListVerified } from '../../domain/verified-query.ts'
import { findUnknownTerms } from '../../parser/answerability/find-unknown-terms.ts'
import { rateAnswerability } from '../../parser/answerability/rate-answerability.ts'
import { makeReadFollowUp } from '../../parser/follow-up/read-follow-up.ts'
import { makeParseQuestion } from '../../parser/interpret-question.ts'
import { trainedModel } from '../../parser/rank/model.ts'
import { understandQuestion } from '../../parser/understand/understand-question.ts'
import { makeFindEvidence, makeVerifiedSimilarity } from '../../ranking/evidence.ts'
import { bestEpsilon } from '../../ranking/experts.ts'
import { chooseMember, measureGroups } from '../../ranking/features/measure-groups.ts'
import { chooseByExperts } from '../../ranking/live-experts.ts'
import { probePair } from '../../ranking/probes/probe-pair.ts'
import { columnsKey, resultKey } from '../../ranking/result-key.ts'
import type { SelectorModel } from '../../ranking/selector/selector-model.ts'
import {
  makeRateTally,
  makeStoppingRule,
  type StoppingModel,
  shippedStoppingModel,
} from '../../ranking/stopping-rule.ts'
import { countVotes, groupCandidates } from '../../ranking/votes.ts'
import { linkLayer } from '../../semantic-layer/ask/link-layer.ts'
import { findMeantPhrases } from '../../semantic-layer/ask/meant-phrases.ts'
import { describeAnswer } from '../../semantic-layer/describe/describe-statement.ts'
import { makeReadThread } from '../../semantic-layer/follow-up/read-thread.ts'
import { makeReadQuestion } from '../../semantic-layer/read-question.ts'
import { describeSql } from '../../sql/describe/describe-sql.ts'
import { cacheVerifiedBriefly } from '../../verified-queries/cache-verified.ts'
import type { Resources } from '../resources.ts'
import { makeConfiguredEmbedder, makeModelDraftPaths, makeSchemaLinker } from './drafting-and-linking.ts'
import { type ModelAccounting, makeModels } from './models.ts'
import {
  fixedChampion,
  makeMemoryQuestionStorage,
  makeStoreQuestionStorage,
  type QuestionStorage,
} from './question-storage.ts'
import { makeAgentStrategyNamed, ownDrafting } from './strategies.ts'

/** Everything that a question needs. */
interface Answering {
  readonly answer: AnswerQuestion
  readonly resume: ResumeQuestion
  readonly loadResult: LoadResult
  readonly keepQuestion: (question: Question) => Promise<void>
  readonly forget: (questionId: string) => Promise<void>
}

/** Connects the answer graph. `model` comes from `--model`: `none`, a name, or null to follow the configuration. */
export const makeAnswering = async (
  resources: Resources,
  options: {
    readonly model: string | null
    readonly kept: 'in-memory' | 'in-store'
    /** How questions are answered where their channel does not say; as the configuration says if left out. */
    readonly strategy?: StrategyName
    /** Replaces all paths that ask models (for replays). */
    readonly drafter?: DraftPath
    /** Answers in place of the agents of a published system, likewise. */
    readonly askAgent?: AskAgent
    /** Compares the results of a replay; left out, nothing is compared. */
    readonly judge?: DecidePairWinner
    /** Replaces the shipped stopping model (for cross-validation). */
    readonly stoppingModel?: Pick<StoppingModel, 'rating' | 'going'>
    /** Replaces the selector in use (for cross-validation). */
    readonly selector?: SelectorModel
    /** Lists verified queries, instead of the store that keeps the question. */
    readonly listVerified?: ListVerified
    /** Lists accepted rules, likewise. */
    readonly listRules?: ListRules
    /** Finds earlier answers that may be shown again. */
    readonly answerReuse?: AnswerReuse
    /** The context of a question that was not asked in Slack; null for all others. */
    readonly contextOf?: (questionId: string) => RunContext | null
    /** Checks the permissions of the person who asks; left out, everything is allowed, as in a shell. */
    readonly guardRuns?: (runs: AnswerRuns) => AnswerRuns
  },
): Promise<Answering> => {
  const { config, log, openDatabase, withSemanticLayers } = resources
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
        accounting: accountingOf(keep.modelLedger, contextOf),
        log,
        inSpan,
        metrics: resources.metrics,
      })
  const seesRows = config.models?.judgeSeesRows ?? true
  const judge =
    options.judge ??
    (models &&
      makeJudgeWithModel({
        askForJudgement: models.askForJudgement,
        renderSchema: renderDdl,
        seesRows,
      }))
  const stoppingModel = options.stoppingModel ?? shippedStoppingModel
  const embedder = await makeConfiguredEmbedder(config, options.drafter ? 'none' : options.model)
  const linkSchema = makeSchemaLinker(config, { embedder, log })
  const parse = makeParseQuestion(trainedModel)
  const readFollowUp = makeReadThread(makeReadFollowUp(trainedModel, understandQuestion), understandQuestion)
  const kept = options.listVerified ?? keep.listVerified
  const listRules = options.listRules ?? keep.listRules
  const verified = kept && { listVerified: cacheVerifiedBriefly(kept, Date.now), parse }
  const strategy = options.strategy ?? config.strategy
  const openForQuestions = listRules
    ? withSemanticLayers(withAcceptedRules(openDatabase, { listRules, now: Date.now, log }))
    : openDatabase
  const depsOf = (strategy: StrategyName): AnswerDeps => {
    const own = ownDrafting(strategy, config)
    const deps = {
      database: openForQuestions,
      understanding: {
        understand: understandQuestion,
        loadTranscript: keep.loadTranscript,
        readFollowUp,
        findUnknownTerms,
        rateFit: rateAnswerability,
        ...(models && { askForRewrite: models.askForRewrite }),
        ...(models && own.asksForKeywords && { askForKeywords: models.askForKeywords }),
      },
      linking: { linkSchema, widenSchema },
      drafting: {
        ...{ mode: own.mode, mostDrafts: own.mostDrafts },
        ...(models && { callLimit: config.budget.modelCallsPerQuestion }),
        paths: [
          ...(own.readsFree
            ? [makeSemanticParserPath({ readQuestion: makeReadQuestion(parse), readFollowUp })]
            : []),
          ...(own.readsFree && verified ? [makeVerifiedPath(verified)] : []),
          ...(options.drafter ? [options.drafter] : []),
          ...(models && !isAgentStrategy(strategy)
            ? [
                makeMetricQueryPath({ ...models, linkLayer, model: models.drafters[0] ?? models.drafter }),
                ...makeModelDraftPaths(models, {
                  linkSchema,
                  ...(config.drafting.examples && { examples: config.drafting.examples }),
                  ...(verified && { findExamples: makeFindExamples(verified) }),
                  ...(own.temperatures && { temperatures: own.temperatures }),
                })
                  .filter(({ name }) => !own.leftOut.has(name))
                  .map(path => ({ ...path, samples: Math.min(path.samples, own.samples) })),
              ]
            : []),
        ],
        decideDrafting: makeStoppingRule({ going: stoppingModel.going[config.drafting.draftBudget] }),
      },
      checking: {
        fixers: [makeFixByRule()],
        ...(models &&
          own.asksFixer && {
            modelFixers: [makeFixWithModel({ askForSql: models.askForSql, renderSchema: renderDdl })],
          }),
        resultKey,
        columnsKey,
        findEvidence: makeFindEvidence(findMeantPhrases),
      },
      choosing: {
        groupCandidates,
        countVotes,
        rateTally: makeRateTally(stoppingModel),
        selector:
          own.selection === 'vote'
            ? null
            : {
                measure: measureGroups,
                champion: options.selector ? fixedChampion(options.selector) : keep.champion,
                saveSnapshot: keep.saveSnapshot,
                ...(verified && {
                  verified: { listVerified: verified.listVerified, likenessTo: makeVerifiedSimilarity },
                }),
              },
        pairwise:
          own.selection !== 'pairwise' || judge == null
            ? null
            : {
                judge,
                rate: ratePairByScore,
                // Full mode reproduces CHASE-SQL, whose judge also sees the team's terms.
                ...(own.mode === 'adaptive' && { probe: probePair }),
              },
        thresholds: {
          answer: config.answer.minimumConfidence,
          ask: config.answer.costOfAsking,
          askInFullMode: config.answer.askInFullMode,
        },
      },
      talking: {
        findClarification: findDescribedClarification,
        exampleQuestions,
        describeAnswer,
        ...(models &&
          config.models?.explains && {
            phraseHeadline: makePhraseHeadline({
              askForHeadline: models.askForHeadline,
              seesRows: config.models.judgeSeesRows,
            }),
          }),
        whoToAsk: (name: string) => config.databases[parseDatabaseRef(name).database]?.owner ?? null,
      },
      storing: {
        runStore: keep.runStore,
        saveResult: keep.saveResult,
        loadResult: keep.loadResult,
        loadHeads: keep.loadHeads,
        ...(options.answerReuse && { answerReuse: options.answerReuse }),
        ...(verified && {
          listVerifiedIds: async (database: string) =>
            (await verified.listVerified(database)).map(({ id }) => id),
        }),
      },
      observing: { inSpan, spansTellQuestions: config.telemetry.questionText },
    }
    return { ...deps, strategy, agents: isAgentStrategy(strategy) ? agentsOf(strategy, deps) : null }
  }
  const agentsOf = (
    name: AgentStrategyName,
    deps: Omit<AnswerDeps, 'strategy' | 'agents'>,
  ): AgentStrategy => {
    const askAgent = options.askAgent ?? models?.askAgent
    if (askAgent === undefined)
      throw new QuerentError(
        'bad-configuration',
        `The strategy ${name} asks models, and none is configured. Set models.drafter in querent.yml, name one with --model, or choose the strategy adaptive.`,
      )
    // `--model` is the one model of every agent.
    const { ssev, ...others } = config.strategies
    const strategies =
      options.model === null ? config.strategies : { ...others, ssev: { ...ssev, experts: [] } }
    return makeAgentStrategyNamed(name, strategies, {
      ...deps,
      askAgent: options.model === null ? askAgent : ({ model: _, ...request }) => askAgent(request),
      seesRows,
      drafters: models?.drafters ?? ['replayed'],
      experts: { records: keep.expertRecords, choose: chooseByExperts, chooseMember, bestEpsilon },
      ...(verified && {
        findExamples: makeFindExamples(verified),
        findNearest: makeFindNearest({ ...verified, embedder }),
      }),
    })
  }
  const runs = makeRunsByStrategy({ depsOf, standard: strategy }, keep.checkpoints.checkpointer)
  const { inRunContext, checkQuota } = resources
  const runsInContext = withRunContext(runs, { inRunContext, contextOf, checkQuota })
  const useCase = {
    runs: options.guardRuns?.(runsInContext) ?? runsInContext,
    questions: keep.questions,
    log,
  }
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

/** Asks back; describes the whole statement of each choice if no single difference tells them apart. */
export const findDescribedClarification: FindClarification = makeFindClarification({
  describe: (sql, catalog) => describeSql(sql, catalog)?.text ?? null,
})
