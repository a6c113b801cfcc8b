import { warehouseSchema } from '../fixtures/warehouse/warehouse-schema.ts'
import { makeFixByRule } from '../graphs/answer/fixes/fix-by-rule.ts'
import { makeFixWithModel } from '../graphs/answer/fixes/fix-with-model.ts'
import { makeAnswerRuns } from '../graphs/answer/index.ts'
import { makeJudgeWithModel } from '../graphs/answer/pairwise/judge-with-model.ts'
import { rateByScore } from '../graphs/answer/pairwise/rate-by-score.ts'
import { makeSemanticParserPath } from '../graphs/answer/paths/semantic-parser.ts'
import { makeVerifiedExample } from '../graphs/answer/paths/verified-example.ts'
import { makeFindExamples } from '../graphs/answer/verified/find-examples.ts'
import { type AnswerQuestion, makeAnswerQuestion } from './app/answer-question.ts'
import { exampleQuestions } from './app/example-questions.ts'
import { makeResumeQuestion, type ResumeQuestion } from './app/resume-question.ts'
import { findClarificationInWords } from './compose/find-clarification-in-words.ts'
import {
  type Databases,
  makeDatabases,
  type OpenDatabaseByName,
  sampleCompany,
} from './compose/make-databases.ts'
import { makeLinker } from './compose/make-linker.ts'
import { makeModelPaths } from './compose/make-model-paths.ts'
import { type ModelBooks, makeModels } from './compose/make-models.ts'
import { makeSampleCompany } from './compose/make-sample-company.ts'
import { once } from './compose/once.ts'
import { type OwnStore, openOwnStore } from './compose/open-own-store.ts'
import { openSpans } from './compose/open-spans.ts'
import type { OnProgress } from './compose/progress.ts'
import { readBriefly } from './compose/read-briefly.ts'
import { loadChampionFrom } from './compose/selector-parts.ts'
import { withAcceptedRules } from './compose/with-accepted-rules.ts'
import { withGlossaries } from './compose/with-glossaries.ts'
import type { Config } from './config/config.ts'
import type { AnswerRuns } from './core/answer-runs.ts'
import { readDatabaseView } from './core/database-view.ts'
import type { DraftPath } from './core/draft.ts'
import type { Log } from './core/log.ts'
import type { ModelLedger } from './core/model-ledger.ts'
import type { ListRules } from './core/proposed-rule.ts'
import type { Question } from './core/question.ts'
import type { QuestionLog } from './core/question-log.ts'
import type { LoadHeads } from './core/result-head.ts'
import type { LoadResult, SaveResult } from './core/saved-result.ts'
import type { SaveSnapshot } from './core/selection-snapshot.ts'
import type { LoadChampion } from './core/selector-version.ts'
import type { InSpan } from './core/span.ts'
import type { LoadTranscript } from './core/thread.ts'
import type { ListVerified } from './core/verified-query.ts'
import type { Workbench } from './core/workbench.ts'
import { renderDdl } from './databases/catalog/render-ddl.ts'
import { widenSchema } from './databases/linking/widen-schema.ts'
import { makeReleasers, type Releasers } from './lib/make-releasers.ts'
import { columnsKey } from './selection/columns-key.ts'
import { findEvidence } from './selection/evidence/find-evidence.ts'
import { makeVerifiedLikeness } from './selection/evidence/verified-likeness.ts'
import { measureGroups } from './selection/features/group/measure-groups.ts'
import { groupCandidates } from './selection/group-candidates.ts'
import { makeRankGroups } from './selection/pairwise/rank-groups.ts'
import type { SelectorModel } from './selection/pairwise/selector-model.ts'
import { shippedSelector } from './selection/pairwise/shipped-selector.ts'
import { probePair } from './selection/probes/probe-pair.ts'
import { resultKey } from './selection/result-key.ts'
import { countVotes } from './selection/standing/count-votes.ts'
import { makeJudgeStanding } from './selection/standing/judge-standing.ts'
import { makeRateStanding } from './selection/standing/rate-standing.ts'
import { standingModel } from './selection/standing/shipped-model.ts'
import type { StandingModel } from './selection/standing/standing-model.ts'
import { findUnknownThings } from './semantic-parser/answerable/find-unknown-things.ts'
import { rateFit } from './semantic-parser/answerable/rate-fit.ts'
import { makeReadFollowUp } from './semantic-parser/follow-up/read-follow-up.ts'
import { makeParseQuestion } from './semantic-parser/parse-question.ts'
import { trainedModel } from './semantic-parser/rank/trained-model.ts'
import { understandQuestion } from './semantic-parser/understand/understand-question.ts'
import { type Checkpoints, makeMemoryCheckpoints } from './store/checkpoints.ts'
import { type EmbeddedServer, startEmbeddedServer } from './store/embedded/start-embedded-server.ts'
import { makeMemoryTranscripts } from './store/in-memory/load-transcript.ts'
import { makeMemoryModelLedger } from './store/in-memory/model-ledger.ts'
import { makeMemoryQuestionLog } from './store/in-memory/question-log.ts'
import { makeMemoryResults } from './store/in-memory/results.ts'
import { makeMemoryWorkbench } from './store/in-memory/workbench.ts'

/**
 * The composition root: the one place that knows which implementation stands behind which port. Shared by the server,
 * the command line, benchmarks and tests. Read it top to bottom.
 */

/** What everything else is made of. Servers and stores start when they are first asked for. */
export interface Resources {
  readonly config: Config
  readonly log: Log
  readonly releasers: Releasers
  readonly server: () => Promise<EmbeddedServer>
  readonly ownStore: () => Promise<OwnStore>
  /** Where spans go; they go nowhere without a collector. */
  readonly inSpan: () => Promise<InSpan>
  readonly openDatabase: OpenDatabaseByName
  readonly readSchema: Databases['readSchema']
  readonly indexDatabase: Databases['index']
  readonly reportOnDatabase: Databases['report']
  /** URL of the reader of the sample company, which is built when it is first asked for. */
  readonly sampleCompanyUrl: () => Promise<string>
  /** Gives everything back, last made first. */
  readonly release: () => Promise<void>
}

/** Makes the resources. `asOf` is the day up to which the sample company's books go, `YYYY-MM-DD`. */
export const makeResources = (
  config: Config,
  options: { readonly log: Log; readonly asOf: string; readonly onProgress?: OnProgress },
): Resources => {
  const { log, asOf, onProgress = () => {} } = options
  const releasers = makeReleasers()
  const server = once(async () => {
    const started = await startEmbeddedServer({ home: config.home, log })
    releasers.push(() => started.stop())
    return started
  })
  const sampleCompanyUrl = once(makeSampleCompany({ server, asOf, onProgress, log }))
  const inSpan = once(() => openSpans(config, releasers))
  const databases = makeDatabases({
    config,
    sampleCompanyUrl,
    sampleCompanyVersion: `${warehouseSchema.version} ${asOf}`,
    releasers,
    onProgress,
    log,
  })
  return {
    config,
    log,
    releasers,
    server,
    ownStore: once(() => openOwnStore({ config, server, releasers, log })),
    sampleCompanyUrl,
    inSpan,
    openDatabase: withGlossaries(databases.open, {
      knowledgeFolder: config.knowledgeFolder,
      isName: name => name === sampleCompany || Object.hasOwn(config.databases, name),
      log,
    }),
    readSchema: databases.readSchema,
    indexDatabase: databases.index,
    reportOnDatabase: databases.report,
    release: () => releasers.release(),
  }
}

/** Where a question's work is kept: in memory for `ask` and `eval`, in our own store for everything else. */
interface Keep {
  readonly workbench: Workbench
  readonly saveResult: SaveResult
  readonly loadResult: LoadResult
  readonly loadHeads: LoadHeads
  readonly questions: QuestionLog
  readonly loadTranscript: LoadTranscript
  readonly modelLedger: ModelLedger
  readonly champion: LoadChampion
  readonly saveSnapshot: SaveSnapshot
  readonly checkpoints: Checkpoints
  readonly keepQuestion: (question: Question) => Promise<void>
  /** Drops what is kept of a question only to work on it. */
  readonly forget: (questionId: string) => Promise<void>
  readonly listVerified?: ListVerified
  readonly listRules?: ListRules
}

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
    readonly standing?: Pick<StandingModel, 'rating' | 'going'>
    /** Another selector than the champion of the store (folds). */
    readonly selector?: SelectorModel
    /** Where verified queries are read in place of the store that keeps the question; nowhere without either. */
    readonly listVerified?: ListVerified
    /** Where accepted rules are read, likewise. */
    readonly listRules?: ListRules
    /** Holds runs to the rights of who asks; without it everybody may, as in a shell. */
    readonly guardRuns?: (runs: AnswerRuns) => AnswerRuns
  },
): Promise<Answering> => {
  const { config, log, openDatabase } = resources
  const inSpan = await resources.inSpan()
  const keep = options.kept === 'in-store' ? keepInStore(await resources.ownStore(), log) : keepInMemory()
  const models = options.drafter
    ? null
    : await makeModels(config, options.model, { books: booksOf(keep), log, inSpan })
  const standing = options.standing ?? standingModel
  const linkSchema = await makeLinker(config, { named: options.drafter ? 'none' : options.model, log })
  const parse = makeParseQuestion(trainedModel)
  const readFollowUp = makeReadFollowUp(trainedModel, understandQuestion)
  const kept = options.listVerified ?? keep.listVerified
  const listRules = options.listRules ?? keep.listRules
  const verified = kept && { listVerified: readBriefly(kept, Date.now), parse }
  const runs = makeAnswerRuns(
    {
      database: listRules ? withAcceptedRules(openDatabase, { listRules, now: Date.now, log }) : openDatabase,
      understand: understandQuestion,
      loadTranscript: keep.loadTranscript,
      readFollowUp,
      exampleQuestions,
      findUnknownThings,
      rateFit,
      whoToAsk: name => config.databases[readDatabaseView(name).database]?.owner ?? null,
      ...(models ? { askForKeywords: models.askForKeywords, askForRewrite: models.askForRewrite } : {}),
      linkSchema,
      widenSchema,
      paths: [
        makeSemanticParserPath({ parse, readFollowUp }),
        ...(verified ? [makeVerifiedExample(verified)] : []),
        ...(options.drafter ? [options.drafter] : []),
        ...(models
          ? makeModelPaths(models, {
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
      rateStanding: makeRateStanding(standing),
      judgeStanding: makeJudgeStanding(standing),
      selector: {
        measure: measureGroups,
        champion: options.selector ? alwaysChampion(options.selector) : keep.champion,
        saveSnapshot: keep.saveSnapshot,
        ...(verified && {
          verified: { listVerified: verified.listVerified, likenessTo: makeVerifiedLikeness },
        }),
      },
      drafting: config.drafting,
      pairwise: models && {
        judge: makeJudgeWithModel({
          askForJudgement: models.askForJudgement,
          renderSchema: renderDdl,
          seesRows: config.models?.judgeSeesRows ?? true,
        }),
        rate: rateByScore,
        // The full mode reproduces CHASE-SQL, whose judge also knows what the team means by its words.
        ...(config.drafting.mode === 'adaptive' && { probe: probePair }),
      },
      findClarification: findClarificationInWords,
      workbench: keep.workbench,
      saveResult: keep.saveResult,
      loadResult: keep.loadResult,
      loadHeads: keep.loadHeads,
      inSpan,
      spansTellQuestions: config.telemetry.questionText,
      thresholds: { answer: config.answer.minimumConfidence, ask: config.answer.costOfAsking },
    },
    keep.checkpoints.checkpointer,
  )
  const useCase = { runs: options.guardRuns?.(runs) ?? runs, questions: keep.questions, log }
  return {
    answer: makeAnswerQuestion(useCase),
    resume: makeResumeQuestion(useCase),
    loadResult: keep.loadResult,
    keepQuestion: keep.keepQuestion,
    forget: keep.forget,
  }
}

const booksOf = ({ modelLedger, questions }: Keep): ModelBooks => ({
  ledger: modelLedger,
  askedBy: async questionId => (await questions.load(questionId))?.askedBy ?? null,
})

const alwaysChampion =
  (model: SelectorModel): LoadChampion =>
  async () => ({ version: model.version, rank: makeRankGroups(model) })

const keepInMemory = (): Keep => {
  const workbench = makeMemoryWorkbench()
  const results = makeMemoryResults()
  const questions = makeMemoryQuestionLog()
  const checkpoints = makeMemoryCheckpoints()
  return {
    workbench,
    saveResult: results.save,
    loadResult: results.load,
    loadHeads: results.heads,
    questions,
    loadTranscript: makeMemoryTranscripts({ questions, workbench }),
    modelLedger: makeMemoryModelLedger(),
    champion: alwaysChampion(shippedSelector),
    // Nobody votes on what is kept in memory.
    saveSnapshot: async () => {},
    checkpoints,
    keepQuestion: async question => questions.insert(question),
    forget: async questionId => {
      workbench.forget(questionId)
      results.forget(questionId)
      questions.forget(questionId)
      await checkpoints.forget(questionId)
    },
  }
}

const keepInStore = ({ store, checkpoints }: OwnStore, log: Log): Keep => ({
  workbench: store.workbench,
  saveResult: store.saveResult,
  loadResult: store.loadResult,
  loadHeads: store.loadHeads,
  questions: store.questionLog,
  loadTranscript: store.loadTranscript,
  modelLedger: store.repositories.modelUsage,
  champion: loadChampionFrom(store.repositories, { now: () => new Date(), log }),
  saveSnapshot: (questionId, snapshot) => store.repositories.selectionSnapshots.upsert(questionId, snapshot),
  checkpoints,
  keepQuestion: async question => {
    await store.repositories.questions.insert(question, null)
  },
  // The run can be looked at later; only LangGraph's own tables have nothing more to tell.
  forget: questionId => checkpoints.forget(questionId),
  listVerified: database => store.repositories.verifiedQueries.list({ database, status: 'accepted' }),
  listRules: only => store.repositories.proposedRules.list(only),
})
