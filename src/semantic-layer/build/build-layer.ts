import type { Catalog } from '../../domain/catalog.ts'
import type { GlossaryTerm, KnowledgeProblem } from '../../domain/knowledge.ts'
import type { LayerDecision } from '../../domain/metrics/layer-decision.ts'
import type { SemanticLayer } from '../../domain/metrics/semantic-layer.ts'
import { indexLayer } from '../compile/layer-index.ts'
import type { LayerFile } from '../files/layer-file.ts'
import { proposeLayer } from '../propose/propose-layer.ts'
import type { LayerItem, LayerReport } from './layer-item.ts'
import { mergeMetrics } from './merge-metrics.ts'
import { mergeModels, withoutTables } from './merge-models.ts'
import { mergeSegments } from './merge-segments.ts'
import { readDecisions } from './read-decisions.ts'
import { readTerms } from './read-terms.ts'

/** What a team has written about a database. */
export interface LayerSources {
  readonly files: readonly LayerFile[]
  /** Of its glossary. */
  readonly terms: readonly GlossaryTerm[]
  /** What admins decided about proposals. */
  readonly decisions?: readonly LayerDecision[]
}

/** A semantic layer, and what is wrong with what it was made of. */
export interface BuiltLayer {
  readonly layer: SemanticLayer
  readonly problems: readonly KnowledgeProblem[]
  /** Terms that only models can use, and why. */
  readonly notes: readonly KnowledgeProblem[]
  /** What files and terms say, to be tried out. */
  readonly items: readonly LayerItem[]
}

/**
 * Makes the semantic layer of a database: what files say, then what terms of the glossary say, then what admins
 * decided about proposals, then what its catalog suggests. What does not fit the catalog is left out and reported; so is what is known to be `broken`.
 */
export const buildLayer = (
  { files, terms, decisions = [] }: LayerSources,
  catalog: Catalog,
  broken: ReadonlySet<string> = new Set(),
): BuiltLayer => {
  const report: LayerReport = {
    problems: files.flatMap(({ problems }) => problems),
    notes: [],
    items: [],
    broken,
  }
  const all = <Part>(part: (file: LayerFile) => readonly Part[]): readonly Part[] => files.flatMap(part)
  const visible = withoutTables(
    catalog,
    all(({ exclude }) => exclude),
    report,
  )
  const merged = mergeModels(
    all(({ models }) => models),
    proposeLayer(visible),
    visible,
    report,
  )
  const place = { index: indexLayer(merged, visible), dialect: catalog.dialect }
  const read = readTerms(terms, place, report)
  // Like terms, they give way to files without a problem.
  const decided = readDecisions(decisions, merged.models)
  const rejected = (kind: 'metric' | 'segment'): ReadonlySet<string> =>
    new Set([...all(file => file.rejected).map(({ name }) => name), ...decided.rejected[kind]])
  const metrics = mergeMetrics(
    {
      files: all(({ metrics }) => metrics),
      terms: [...read.metrics, ...decided.metrics],
      proposed: merged.metrics,
      rejected: rejected('metric'),
    },
    place,
    report,
  )
  const segments = mergeSegments(
    {
      files: all(({ segments }) => segments),
      terms: [...read.segments, ...decided.segments],
      proposed: merged.segments,
      rejected: rejected('segment'),
    },
    place,
    report,
  )
  const { items } = report
  return {
    layer: { models: merged.models, metrics, segments },
    problems: inOrder(report.problems),
    notes: inOrder(report.notes),
    items,
  }
}

/** By file and line, as a person goes through them. */
export const inOrder = (problems: readonly KnowledgeProblem[]): readonly KnowledgeProblem[] =>
  problems.toSorted((a, b) =>
    a.at.file < b.at.file ? -1 : a.at.file > b.at.file ? 1 : a.at.line - b.at.line,
  )
