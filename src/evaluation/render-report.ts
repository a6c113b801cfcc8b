import { renderDiff } from './diff-runs.ts'
import type { Report, ReportedRun } from './report.ts'
import { formatShare } from './summary.ts'

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; color: #1d1c1d; background: #fff; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
  table { border-collapse: collapse; } th, td { padding: .25rem .75rem; border-bottom: 1px solid #ddd; text-align: right; }
  th:first-child, td:first-child { text-align: left; }
  pre { background: #f6f6f6; padding: .75rem; overflow-x: auto; font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere; }
  svg { max-width: 100%; height: auto; }
`

/** The report as one HTML page that needs nothing beside itself: charts stand in it as SVG, and it has no script. */
export const renderHtml = (report: Report, svgOf: (chart: ReportChart) => string): string => {
  const title = escapeHtml(report.title)
  const sections = reportSections(report).map(section => renderHtmlSection(section, svgOf))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
${sections.join('\n')}
</body>
</html>
`
}

const renderHtmlSection = (section: ReportSection, svgOf: (chart: ReportChart) => string): string => {
  switch (section.kind) {
    case 'heading':
      return `<h2>${escapeHtml(section.text)}</h2>`
    case 'text':
      return `<p>${escapeHtml(section.text)}</p>`
    case 'block':
      return `<pre>${escapeHtml(section.text)}</pre>`
    case 'chart':
      return `<figure role="img" aria-label="${escapeHtml(section.alt)}">${svgOf(section.chart)}</figure>`
    case 'table':
      return `<table><thead>${renderHtmlRow(section.head, 'th')}</thead><tbody>${section.rows
        .map(cells => renderHtmlRow(cells, 'td'))
        .join('\n')}</tbody></table>`
    default: {
      const never: never = section
      return never
    }
  }
}

const renderHtmlRow = (cells: readonly string[], tag: 'th' | 'td'): string =>
  `<tr>${cells.map(cell => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

/** The report as Markdown. `imageOf` says where a chart lies, relative to the file. */
export const renderMarkdown = (report: Report, imageOf: (chart: ReportChart) => string): string => {
  const sections = reportSections(report).map(section => renderMarkdownSection(section, imageOf))
  return `${[`# ${escapeMarkdown(report.title)}`, ...sections].join('\n\n')}\n`
}

const renderMarkdownSection = (section: ReportSection, imageOf: (chart: ReportChart) => string): string => {
  switch (section.kind) {
    case 'heading':
      return `## ${section.text}`
    case 'text':
      return escapeMarkdown(section.text)
    case 'block':
      return fenced(section.text)
    case 'chart':
      return `![${section.alt}](${encodeURI(imageOf(section.chart))})`
    case 'table':
      return [section.head, section.head.map((_, i) => (i === 0 ? '---' : '--:')), ...section.rows]
        .map((row, i) => `| ${row.map(cell => (i === 1 ? cell : escapeMarkdown(cell))).join(' | ')} |`)
        .join('\n')
    default: {
      const never: never = section
      return never
    }
  }
}

/** A fence longer than any that stands in the text. */
const fenced = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

/** Questions are other people's words: none of them may become a heading, a link or a tag. */
const escapeMarkdown = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~]/g, character => `\\${character}`)

/** The charts of a report. A chart without data is left out. */
export type ReportChart = 'by-difficulty' | 'coverage' | 'calls'

/** A section of a report, which each format renders. Cells and texts are plain text. */
export type ReportSection =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'block'; readonly text: string }
  | { readonly kind: 'chart'; readonly chart: ReportChart; readonly alt: string }
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly rows: readonly (readonly string[])[]
    }

/** The sections in order: figures, comparison, difficulty, confidence, cost, misses. */
const reportSections = (report: Report): readonly ReportSection[] => [
  figures(report),
  ...comparison(report),
  ...difficulty(report),
  ...coverage(report),
  ...cost(report),
  ...misses(report),
]

/** Rows by name, since a run may lack some of the other's. */
const figures = ({ runs }: Report): ReportSection => {
  const names = [...new Set(runs.flatMap(({ rows }) => rows.map(([name]) => name)))]
  const values = runs.map(({ rows }) => new Map(rows))
  return {
    kind: 'table',
    head: ['measure', ...runs.map(({ name }) => name)],
    rows: names.map(name => [name, ...values.map(ofRun => ofRun.get(name) ?? '-')]),
  }
}

const comparison = ({ diff, runs }: Report): readonly ReportSection[] =>
  diff === null
    ? []
    : [
        { kind: 'heading', text: 'Is it better?' },
        {
          kind: 'text',
          text: `Question by question: A is ${runs[1]?.name ?? 'the other'}, B is ${runs[0].name}.`,
        },
        { kind: 'block', text: renderDiff(diff) },
      ]

const difficulty = ({ runs }: Report): readonly ReportSection[] =>
  runs[0].summary.byDifficulty.length === 0
    ? []
    : [
        { kind: 'heading', text: 'By difficulty' },
        { kind: 'chart', chart: 'by-difficulty', alt: 'EX by the difficulty of the question' },
      ]

const coverage = ({ runs }: Report): readonly ReportSection[] => {
  if (runs[0].coverage.length === 0) return []
  return [
    { kind: 'heading', text: 'How reliable its confidence is' },
    {
      kind: 'text',
      text: 'The share of questions that get an answer if only answers above some confidence are given, and the share of these that are right. A line that falls to the right is good: less confident answers are wrong more often.',
    },
    { kind: 'chart', chart: 'coverage', alt: 'Precision and coverage' },
    {
      kind: 'table',
      head: ['confidence at least', ...runs.flatMap(({ name }) => [`${name}: answered`, 'of these right'])],
      rows: [0.9, 0.8, 0.7, 0.5, 0.3].map(confidence => [
        confidence.toFixed(1),
        ...runs.flatMap(run => atConfidence(run, confidence)),
      ]),
    },
  ]
}

const atConfidence = (run: ReportedRun, confidence: number): readonly string[] => {
  const point = run.coverage.findLast(point => point.confidence >= confidence)
  return [formatShare(point?.coverage ?? 0), formatShare(point?.precision ?? null)]
}

const cost = ({ runs }: Report): readonly ReportSection[] =>
  runs.every(({ summary }) => summary.modelCalls === 0)
    ? []
    : [
        { kind: 'heading', text: 'Model calls per question' },
        { kind: 'chart', chart: 'calls', alt: 'Questions by the number of model calls they took' },
      ]

const misses = ({ misses, moreMisses }: Report): readonly ReportSection[] => {
  if (misses.length === 0) return []
  const rest =
    moreMisses > 0 ? ` These are the first ${misses.length}; ${moreMisses} more are in the --out file.` : ''
  return [
    { kind: 'heading', text: 'What went wrong' },
    { kind: 'text', text: `Questions without a right answer.${rest}` },
    ...misses.flatMap(({ id, question, outcome, confidence, sql, gold, error }): ReportSection[] => {
      const sure = confidence === null ? '' : `, ${Math.round(confidence * 100)}% sure`
      const statements = [
        ...(sql === null ? [] : [`-- answer\n${sql}`]),
        ...(gold === null ? [] : [`-- known answer\n${gold}`]),
      ]
      return [
        { kind: 'text', text: `${id} (${outcome}${sure}): ${question}${error === null ? '' : ` ${error}`}` },
        ...(statements.length > 0 ? [{ kind: 'block' as const, text: statements.join('\n') }] : []),
      ]
    }),
  ]
}
