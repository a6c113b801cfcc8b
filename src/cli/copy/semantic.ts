import { semanticFindings } from './operations.ts'
import { formatCount, listWith } from './phrases.ts'

/** How much of a layer is accepted and proposed. */
export interface LayerCounts {
  readonly metrics: { readonly accepted: number; readonly proposed: number }
  readonly segments: { readonly accepted: number; readonly proposed: number }
}

/** What the `semantic` commands write. */
export const semanticCopy = {
  counts: ({ metrics, segments }: LayerCounts): string =>
    `Semantic layer: ${semanticFindings.counts({ metrics, segments })}`,
  problem: (file: string, line: number, message: string): string => `${file}:${line}: ${message}`,
  problemsTitle: 'To correct in the semantic layer (docs/semantic-layer.md):',
  notesTitle: 'Good to know:',
  noProblems: (counts: string): string => `${counts}. No problems.`,
  problems: (count: number): string =>
    `${formatCount(count, 'problem')}. What they are about is left out; the rest works.`,
  head: { model: 'model', metric: 'metric', segment: 'segment' },
  columns: ['name', 'says', 'status', 'meaning'],
  titles: { model: 'Models', metric: 'Metrics', segment: 'Segments' },
  nothing: 'There is nothing to show.',
  nothingProposed: 'Nothing is proposed. Everything has been decided.',
  unit: (unit: string): string => `in ${unit}`,
  needsTerminal: 'Run this in a terminal, or add --accept-all to accept every proposal.',
  progress: (at: number, total: number): string => `${at} of ${total}`,
  proposal: (kind: string, label: string, meaning: string): string => `${kind} “${label}”: ${meaning}`,
  synonyms: (words: readonly string[]): string => (words.length === 0 ? '' : `also: ${words.join(', ')}`),
  choose: 'What do you want to do?',
  choices: {
    accept: 'Accept',
    edit: 'Accept with other words',
    reject: 'Reject, and do not propose it again',
    skip: 'Skip for now',
    stop: 'Stop here',
  },
  askLabel: 'Label, as a heading:',
  askSynonyms: 'Other words for it, with commas:',
  emptyLabel: 'Give it a label.',
  rolledBack: (kind: string, name: string, status: string): string =>
    `The ${kind} ${name} is ${status} again. Running bots use this within seconds.`,
  stopped: (kind: string, name: string): string =>
    `The ${kind} ${name} is no longer used. Running bots stop using it within seconds.`,
  nothingDecided: (kind: string, name: string): string =>
    `No earlier decision about the ${kind} ${name} was stored. \`semantic list\` shows names; what a file says is changed in the file.`,
  reviewed: (accepted: number, rejected: number, skipped: number, file: string): string =>
    accepted + rejected === 0
      ? `Nothing was changed. ${skipped} skipped.`
      : `${accepted} accepted, ${rejected} rejected, ${skipped} skipped. Written to ${file}.`,
} as const

/** What `semantic import` and `semantic export` write. */
export const transferCopy = {
  comment: (format: string): string =>
    ` Made from ${format} files by \`querent semantic import\`. docs/semantic-layer.md describes the keys.\n` +
    ' Change the source and import it again, or change this file and stop importing.',
  unknownFormat: (given: string, known: readonly string[], hint: string): string =>
    `The format must be ${listWith('or', known)}, not “${given}”${hint || '.'}`,
  translated: (format: string, part: number, all: number): string =>
    all === 0
      ? `These ${format} files define nothing.`
      : `Translated ${part.toLocaleString('en-US')} of ${formatCount(all, 'item')} of the ${format} files.`,
  made: (models: number, metrics: number, segments: number): string =>
    `The layer has ${listWith('and', [formatCount(models, 'model'), formatCount(metrics, 'metric'), formatCount(segments, 'segment')])}.`,
  item: (kind: string, name: string, text: string): string => `${kind} ${name}: ${text}`,
  skippedTitle: 'Not translated:',
  differingTitle: 'Translated, with a difference:',
  changesTitle: 'Changes of the file:',
  problemsTitle: 'Does not fit the database, and is left out of answers until it does:',
  nothing: 'Nothing was written.',
  unchanged: (file: string): string => `${file} says the same already.`,
  written: (file: string, isUsed: boolean): string =>
    `Written to ${file}.${isUsed ? '' : ' Querent reads only the YAML files in semantic/; move it there to use it.'}`,
  notWritten: (file: string): string =>
    `Not written, since ${file} says something else. Add --force to overwrite it, or --out to write another file.`,
  exported: (models: number, metrics: number, file: string): string =>
    `Wrote ${formatCount(models, 'model')} and ${formatCount(metrics, 'metric')} to ${file}.`,
  hiddenTitle: 'Other tools will not see these; an import into Querent has them again:',
} as const
