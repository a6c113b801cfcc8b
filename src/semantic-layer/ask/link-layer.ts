import type { LinkLayer } from '../../domain/metrics/metric-reading.ts'
import { explainReading } from '../interpret/explain-reading.ts'
import { yesNoPattern } from '../interpret/interpret-metrics.ts'
import { prepareLayer } from '../read-metric-question.ts'
import { cutLayer, dimensionOfMatch } from './layer-cut.ts'
import { readReply } from './read-reply.ts'

/** Links the layer of a database, or what its catalog suggests, to a question. */
export const linkLayer: LinkLayer = ({ understanding, database, matches }) => {
  const { index, vocabulary, compile } = prepareLayer(database)
  const { findValues } = database
  const cut = cutLayer({ index, vocabulary }, { understanding, findValues, matches })
  if (cut === null) return null
  const texts = { question: understanding.text, matches, findValues }
  const asked = { timeZone: understanding.timeZone, today: understanding.today }
  return {
    text: cut.text,
    inDimensions: found =>
      found.flatMap(match => {
        const at = dimensionOfMatch(match, index)
        return at && cut.models.get(at.model)?.dimensions.has(at.dimension)
          ? [{ ...match, table: at.model, column: at.dimension }]
          : []
      }),
    compile: reply => {
      const read = readReply(reply, { cut, index, understanding, texts })
      if (!read.ok) return read
      const { query } = read
      const shown = compile(query, asked)
      if (!shown.ok) return { ok: false, problems: [`It cannot be computed: ${shown.problem}`] }
      // A figure that only ranks is shown, but was not asked for.
      const isMore = query.metrics.length > read.asked.length
      const drafted = isMore ? compile({ ...query, metrics: read.asked }, asked) : shown
      const isYesNo = yesNoPattern.test(understanding.text.trim())
      return {
        ok: true,
        reading: {
          sql: drafted.ok ? drafted.sql : shown.sql,
          assumptions: explainReading({ query, corrected: [], unused: [] }, index, understanding),
          meaning: { query, sql: shown.sql, columns: shown.columns, isYesNo },
        },
      }
    },
  }
}
