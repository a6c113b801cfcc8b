import type { Report } from './report.ts'
import { type ReportChart, type ReportSection, reportSections } from './report-section.ts'

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
