import { describe, expect, it } from 'vitest'
import { by, days, every, metric, ref, shopSql } from './proof/shop-query.ts'

const dialects = ['postgres', 'duckdb', 'sqlite', 'mysql'] as const

/** Each statement in all dialects, since what differs between them is what can be wrong. */
describe('the same query in each dialect', () => {
  const inAll = (query: Parameters<typeof shopSql>[0]): string =>
    dialects.map(dialect => `-- ${dialect}\n${shopSql(query, { dialect })}`).join('\n\n')

  it('a series by month', () => {
    expect(
      inAll({
        metrics: [metric('quantity')],
        groupBy: [every('month')],
        period: days('2024-01-01', '2025-01-01'),
      }),
    ).toMatchInlineSnapshot(`
      "-- postgres
      SELECT
        CAST(date_trunc('month', orders.placed_at) AS date) AS month,
        SUM(order_lines.quantity) AS quantity
      FROM order_lines
      JOIN orders ON orders.id = order_lines.order_id
      WHERE orders.placed_at >= TIMESTAMP '2024-01-01 00:00:00'
        AND orders.placed_at < TIMESTAMP '2025-01-01 00:00:00'
      GROUP BY month
      ORDER BY month

      -- duckdb
      SELECT
        CAST(date_trunc('month', orders.placed_at) AS date) AS month,
        SUM(order_lines.quantity) AS quantity
      FROM order_lines
      JOIN orders ON orders.id = order_lines.order_id
      WHERE orders.placed_at >= TIMESTAMP '2024-01-01 00:00:00'
        AND orders.placed_at < TIMESTAMP '2025-01-01 00:00:00'
      GROUP BY month
      ORDER BY month

      -- sqlite
      SELECT date(orders.placed_at, 'start of month') AS month, SUM(order_lines.quantity) AS quantity
      FROM order_lines
      JOIN orders ON orders.id = order_lines.order_id
      WHERE orders.placed_at >= '2024-01-01' AND orders.placed_at < '2025-01-01'
      GROUP BY month
      ORDER BY month

      -- mysql
      SELECT
        CAST(DATE_FORMAT(orders.placed_at, '%Y-%m-01') AS DATE) AS month,
        SUM(order_lines.quantity) AS quantity
      FROM order_lines
      JOIN orders ON orders.id = order_lines.order_id
      WHERE orders.placed_at >= TIMESTAMP '2024-01-01 00:00:00'
        AND orders.placed_at < TIMESTAMP '2025-01-01 00:00:00'
      GROUP BY month
      ORDER BY month"
    `)
  })

  it('days of a moment with a zone, and hours of a duration', () => {
    expect(
      inAll({
        metrics: [metric('shipping_hours')],
        groupBy: [every('day', ref('order.paid_at'))],
        filters: [{ kind: 'match', at: ref('customer.name'), text: '50%', place: 'start', negated: false }],
      }),
    ).toMatchInlineSnapshot(`
      "-- postgres
      SELECT
        CAST(orders.paid_at AT TIME ZONE 'Europe/Berlin' AS date) AS day,
        AVG(EXTRACT(EPOCH FROM orders.shipped_at - orders.placed_at) / 3600) AS shipping_hours
      FROM orders
      JOIN customers ON customers.id = orders.customer_id
      WHERE orders.paid_at IS NOT NULL AND customers.name ILIKE '50!%%' ESCAPE '!'
      GROUP BY day
      ORDER BY day

      -- duckdb
      SELECT
        CAST(orders.paid_at AT TIME ZONE 'Europe/Berlin' AS date) AS day,
        AVG(EXTRACT(EPOCH FROM orders.shipped_at - orders.placed_at) / 3600) AS shipping_hours
      FROM orders
      JOIN customers ON customers.id = orders.customer_id
      WHERE orders.paid_at IS NOT NULL AND customers.name ILIKE '50!%%' ESCAPE '!'
      GROUP BY day
      ORDER BY day

      -- sqlite
      SELECT
        date(orders.paid_at) AS day,
        AVG((unixepoch(orders.shipped_at) - unixepoch(orders.placed_at)) / 3600.0) AS shipping_hours
      FROM orders
      JOIN customers ON customers.id = orders.customer_id
      WHERE orders.paid_at IS NOT NULL AND customers.name LIKE '50!%%' ESCAPE '!'
      GROUP BY day
      ORDER BY day

      -- mysql
      SELECT
        DATE(orders.paid_at) AS day,
        AVG(1e0 * (TIMESTAMPDIFF(SECOND, orders.placed_at, orders.shipped_at) / 3600e0)) AS shipping_hours
      FROM orders
      JOIN customers ON customers.id = orders.customer_id
      WHERE orders.paid_at IS NOT NULL AND customers.name LIKE '50!%%' ESCAPE '!'
      GROUP BY day
      ORDER BY day"
    `)
  })

  it('weekdays and hours', () => {
    expect(
      inAll({
        metrics: [metric('ticket_count')],
        groupBy: [
          { kind: 'part', at: null, part: 'weekday' },
          { kind: 'part', at: null, part: 'hour' },
        ],
      }),
    ).toMatchInlineSnapshot(`
      "-- postgres
      SELECT
        EXTRACT(isodow FROM opened_at) AS weekday,
        EXTRACT(hour FROM opened_at) AS hour,
        COUNT(*) AS ticket_count
      FROM tickets
      GROUP BY weekday, hour
      ORDER BY weekday, hour

      -- duckdb
      SELECT
        EXTRACT(isodow FROM opened_at) AS weekday,
        EXTRACT(hour FROM opened_at) AS hour,
        COUNT(*) AS ticket_count
      FROM tickets
      GROUP BY weekday, hour
      ORDER BY weekday, hour

      -- sqlite
      SELECT
        (CAST(strftime('%w', opened_at) AS INTEGER) + 6) % 7 + 1 AS weekday,
        CAST(strftime('%H', opened_at) AS INTEGER) AS hour,
        COUNT(*) AS ticket_count
      FROM tickets
      GROUP BY weekday, hour
      ORDER BY weekday, hour

      -- mysql
      SELECT WEEKDAY(opened_at) + 1 AS weekday, HOUR(opened_at) AS hour, COUNT(*) AS ticket_count
      FROM tickets
      GROUP BY weekday, hour
      ORDER BY weekday, hour"
    `)
  })

  it('a median, from numbered rows where there is none', () => {
    expect(
      inAll({ metrics: [metric('usual_freight')], groupBy: [by('order.status')] }),
    ).toMatchInlineSnapshot(`
      "-- postgres
      SELECT status, percentile_cont(0.5) WITHIN GROUP (ORDER BY freight) AS usual_freight
      FROM orders
      GROUP BY status
      ORDER BY usual_freight DESC NULLS LAST

      -- duckdb
      SELECT status, quantile_cont(CAST(freight AS double), 0.5) AS usual_freight
      FROM orders
      GROUP BY status
      ORDER BY usual_freight DESC NULLS LAST

      -- sqlite
      SELECT
        status,
        SUM(CASE WHEN ABS(place - 1 - 0.5 * (places - 1)) < 1 THEN measured * (1 - ABS(place - 1 - 0.5 * (places - 1))) END) AS usual_freight
      FROM (
        SELECT
          orders.status,
          orders.freight AS measured,
          ROW_NUMBER() OVER (PARTITION BY orders.status ORDER BY orders.freight NULLS LAST) AS place,
          COUNT(orders.freight) OVER (PARTITION BY orders.status) AS places
        FROM orders
      ) AS ranked_rows
      GROUP BY status
      ORDER BY usual_freight DESC

      -- mysql
      SELECT
        status,
        SUM(CASE WHEN ABS(place - 1 - 0.5 * (places - 1)) < 1 THEN measured * (1 - ABS(place - 1 - 0.5 * (places - 1))) END) AS usual_freight
      FROM (
        SELECT
          orders.status,
          orders.freight AS measured,
          ROW_NUMBER() OVER (PARTITION BY orders.status ORDER BY orders.freight IS NULL, orders.freight) AS place,
          COUNT(orders.freight) OVER (PARTITION BY orders.status) AS places
        FROM orders
      ) AS ranked_rows
      GROUP BY status
      ORDER BY usual_freight DESC"
    `)
  })

  it('a series beside the quarter before, with groups that may have no name', () => {
    expect(
      inAll({
        metrics: [metric('freight')],
        groupBy: [every('quarter'), by('customer.country')],
        compare: { kind: 'series', lag: 'previous' },
      }),
    ).toMatchInlineSnapshot(`
      "-- postgres
      WITH figures AS (
        SELECT
          CAST(date_trunc('quarter', orders.placed_at) AS date) AS quarter,
          customers.country,
          SUM(orders.freight) AS freight
        FROM orders
        JOIN customers ON customers.id = orders.customer_id
        GROUP BY quarter, customers.country
      )
      SELECT
        figures.quarter,
        figures.country,
        figures.freight,
        earlier.freight AS freight_before,
        figures.freight - earlier.freight AS freight_change,
        1.0 * (figures.freight - earlier.freight) / NULLIF(earlier.freight, 0) AS freight_growth
      FROM figures
      LEFT JOIN figures AS earlier ON earlier.quarter = CAST(figures.quarter - INTERVAL '3 months' AS date) AND earlier.country IS NOT DISTINCT FROM figures.country
      ORDER BY figures.quarter, figures.freight DESC NULLS LAST

      -- duckdb
      WITH figures AS (
        SELECT
          CAST(date_trunc('quarter', orders.placed_at) AS date) AS quarter,
          customers.country,
          SUM(orders.freight) AS freight
        FROM orders
        JOIN customers ON customers.id = orders.customer_id
        GROUP BY quarter, customers.country
      )
      SELECT
        figures.quarter,
        figures.country,
        figures.freight,
        earlier.freight AS freight_before,
        figures.freight - earlier.freight AS freight_change,
        (figures.freight - earlier.freight) / NULLIF(earlier.freight, 0) AS freight_growth
      FROM figures
      LEFT JOIN figures AS earlier ON earlier.quarter = CAST(figures.quarter - INTERVAL '3 months' AS date) AND earlier.country IS NOT DISTINCT FROM figures.country
      ORDER BY figures.quarter, figures.freight DESC NULLS LAST

      -- sqlite
      WITH figures AS (
        SELECT
          date(orders.placed_at, 'start of month', '-' || ((CAST(strftime('%m', orders.placed_at) AS INTEGER) - 1) % 3) || ' months') AS quarter,
          customers.country,
          SUM(orders.freight) AS freight
        FROM orders
        JOIN customers ON customers.id = orders.customer_id
        GROUP BY quarter, customers.country
      )
      SELECT
        figures.quarter,
        figures.country,
        figures.freight,
        earlier.freight AS freight_before,
        figures.freight - earlier.freight AS freight_change,
        1.0 * (figures.freight - earlier.freight) / NULLIF(earlier.freight, 0) AS freight_growth
      FROM figures
      LEFT JOIN figures AS earlier ON earlier.quarter = date(figures.quarter, '-3 months') AND earlier.country IS figures.country
      ORDER BY figures.quarter, figures.freight DESC

      -- mysql
      WITH figures AS (
        SELECT
          MAKEDATE(YEAR(orders.placed_at), 1) + INTERVAL QUARTER(orders.placed_at) - 1 QUARTER AS quarter,
          customers.country,
          SUM(orders.freight) AS freight
        FROM orders
        JOIN customers ON customers.id = orders.customer_id
        GROUP BY quarter, customers.country
      )
      SELECT
        figures.quarter,
        figures.country,
        figures.freight,
        earlier.freight AS freight_before,
        figures.freight - earlier.freight AS freight_change,
        1e0 * (figures.freight - earlier.freight) / NULLIF(earlier.freight, 0) AS freight_growth
      FROM figures
      LEFT JOIN figures AS earlier ON earlier.quarter = figures.quarter - INTERVAL 1 QUARTER AND earlier.country <=> figures.country
      ORDER BY figures.quarter, figures.freight DESC"
    `)
  })

  it('the lowest first, and what is missing last', () => {
    expect(
      inAll({
        metrics: [metric('average_freight')],
        groupBy: [by('order.status')],
        order: [{ kind: 'metric', metric: metric('average_freight'), direction: 'asc' }],
      }),
    ).toMatchInlineSnapshot(`
      "-- postgres
      SELECT status, AVG(freight) AS average_freight
      FROM orders
      GROUP BY status
      ORDER BY average_freight

      -- duckdb
      SELECT status, AVG(freight) AS average_freight
      FROM orders
      GROUP BY status
      ORDER BY average_freight

      -- sqlite
      SELECT status, AVG(freight) AS average_freight
      FROM orders
      GROUP BY status
      ORDER BY average_freight NULLS LAST

      -- mysql
      SELECT status, AVG(1e0 * freight) AS average_freight
      FROM orders
      GROUP BY status
      ORDER BY AVG(1e0 * freight) IS NULL, AVG(1e0 * freight)"
    `)
  })
})
