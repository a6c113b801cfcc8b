import type { Report } from './report.ts'
import { type ReportChart, type ReportSection, reportSections } from './report-sections.ts'

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
