import { describe, expect, it } from 'vitest'
import { by, compileShop, days, each, every, is, metric, ref, shopSql } from './proof/shop-query.ts'

describe('figures side by side', () => {
  it('of several models are aggregated before they meet', () => {
    expect(
      shopSql({
        metrics: [metric('order_value'), metric('ticket_count')],
        groupBy: [by('customer.country')],
      }),
    ).toMatchInlineSnapshot(`
      "SELECT
        country,
        1.0 * SUM(revenue) / NULLIF(SUM(order_count), 0) AS order_value,
        SUM(ticket_count) AS ticket_count
      FROM (
        SELECT
          customers.country,
          SUM(order_lines.quantity * order_lines.unit_price * (1 - coalesce(order_lines.discount, 0))) AS revenue,
          0 AS order_count,
          0 AS ticket_count
        FROM order_lines
        JOIN orders ON orders.id = order_lines.order_id
        JOIN customers ON customers.id = orders.customer_id
        GROUP BY customers.country
        UNION ALL
        SELECT customers.country, 0 AS revenue, COUNT(*) AS order_count, 0 AS ticket_count
        FROM orders
        JOIN customers ON customers.id = orders.customer_id
        GROUP BY customers.country
        UNION ALL
        SELECT customers.country, 0 AS revenue, 0 AS order_count, COUNT(*) AS ticket_count
        FROM tickets
        JOIN customers ON customers.id = tickets.customer_id
        GROUP BY customers.country
      ) AS facts
      GROUP BY country
      ORDER BY order_value DESC NULLS LAST"
    `)
  })

  it('without groups stand beside each other', () => {
    expect(shopSql({ metrics: [metric('order_value')] })).toMatchInlineSnapshot(`
      "SELECT 1.0 * revenue / NULLIF(order_count, 0) AS order_value
      FROM (
        SELECT SUM(quantity * unit_price * (1 - coalesce(discount, 0))) AS revenue
        FROM order_lines
      ) AS revenue_figure
      CROSS JOIN (
        SELECT COUNT(*) AS order_count
        FROM orders
      ) AS order_count_figure"
    `)
  })

  it('with a filter of one of them keep the rows of the others', () => {
    expect(
      shopSql({ metrics: [metric('order_count'), metric('order_count', is('customer.country', 'DE'))] }),
    ).toMatchInlineSnapshot(`
      "SELECT
        COUNT(*) AS order_count,
        COUNT(CASE WHEN customers.country = 'DE' THEN 1 END) AS order_count_2
      FROM orders
      LEFT JOIN customers ON customers.id = orders.customer_id"
    `)
  })

  it('divide totals, and by 0 give nothing', () => {
    expect(
      shopSql({ metrics: [metric('cancel_rate')], groupBy: [by('order.status')] }),
    ).toMatchInlineSnapshot(`
      "SELECT
        status,
        1.0 * COUNT(CASE WHEN status = 'canceled' THEN 1 END) / NULLIF(COUNT(*), 0) AS cancel_rate
      FROM orders
      GROUP BY status
      ORDER BY cancel_rate DESC NULLS LAST"
    `)
  })

  it('are calculated from formulas', () => {
    expect(shopSql({ metrics: [metric('tickets_per_100_orders')] })).toMatchInlineSnapshot(`
      "SELECT 1.0 * (100 * ticket_count) / NULLIF(order_count - canceled_orders, 0) AS tickets_per_100_orders
      FROM (
        SELECT COUNT(*) AS ticket_count
        FROM tickets
      ) AS ticket_count_figure
      CROSS JOIN (
        SELECT COUNT(*) AS order_count, COUNT(CASE WHEN status = 'canceled' THEN 1 END) AS canceled_orders
        FROM orders
      ) AS order_count_figure"
    `)
  })
})

describe('figures beside others', () => {
  it('of the period before it: both in one pass', () => {
    expect(
      shopSql({
        metrics: [metric('quantity')],
        groupBy: [by('category.name')],
        period: days('2024-04-01', '2024-07-01'),
        compare: {
          kind: 'period',
          from: '2024-01-01',
          until: '2024-04-01',
          label: 'first quarter',
          isSameStretch: false,
        },
      }),
    ).toMatchInlineSnapshot(`
      "WITH figures AS (
        SELECT
          categories.name AS category,
          SUM(CASE WHEN orders.placed_at >= TIMESTAMP '2024-04-01 00:00:00' AND orders.placed_at < TIMESTAMP '2024-07-01 00:00:00' THEN order_lines.quantity ELSE 0 END) AS quantity,
          SUM(CASE WHEN orders.placed_at >= TIMESTAMP '2024-01-01 00:00:00' AND orders.placed_at < TIMESTAMP '2024-04-01 00:00:00' THEN order_lines.quantity ELSE 0 END) AS quantity_before
        FROM order_lines
        JOIN products ON products.id = order_lines.product_id
        JOIN categories ON categories.id = products.category_id
        JOIN orders ON orders.id = order_lines.order_id
        WHERE orders.placed_at >= TIMESTAMP '2024-01-01 00:00:00'
          AND orders.placed_at < TIMESTAMP '2024-07-01 00:00:00'
        GROUP BY categories.name
      )
      SELECT
        category,
        quantity,
        quantity_before,
        quantity - quantity_before AS quantity_change,
        1.0 * (quantity - quantity_before) / NULLIF(quantity_before, 0) AS quantity_growth
      FROM figures
      ORDER BY quantity DESC NULLS LAST"
    `)
  })

  it('of a period far from it: what lies between is left out', () => {
    expect(
      shopSql({
        metrics: [metric('order_count')],
        period: days('2024-04-01', '2024-07-01'),
        compare: { kind: 'period', from: '2023-04-01', until: '2023-07-01', label: '', isSameStretch: false },
      }),
    ).toContain('WHERE (placed_at >=')
  })

  it('of the year before, in a series that has gaps', () => {
    expect(
      shopSql({
        metrics: [metric('quantity')],
        groupBy: [every('month')],
        period: days('2024-01-01', '2025-01-01'),
        compare: { kind: 'series', lag: 'year' },
      }),
    ).toMatchInlineSnapshot(`
      "WITH figures AS (
        SELECT
          CAST(date_trunc('month', orders.placed_at) AS date) AS month,
          SUM(order_lines.quantity) AS quantity
        FROM order_lines
        JOIN orders ON orders.id = order_lines.order_id
        WHERE orders.placed_at >= TIMESTAMP '2023-01-01 00:00:00'
          AND orders.placed_at < TIMESTAMP '2025-01-01 00:00:00'
        GROUP BY month
      )
      SELECT
        figures.month,
        figures.quantity,
        earlier.quantity AS quantity_before,
        figures.quantity - earlier.quantity AS quantity_change,
        1.0 * (figures.quantity - earlier.quantity) / NULLIF(earlier.quantity, 0) AS quantity_growth
      FROM figures
      LEFT JOIN figures AS earlier ON earlier.month = CAST(figures.month - INTERVAL '1 year' AS date)
      WHERE figures.month >= DATE '2024-01-01'
      ORDER BY figures.month"
    `)
  })

  it('of the year before by week: 52 weeks, so that Mondays meet Mondays', () => {
    expect(
      shopSql({
        metrics: [metric('quantity')],
        groupBy: [every('week')],
        compare: { kind: 'series', lag: 'year' },
      }),
    ).toContain("earlier.week = CAST(figures.week - INTERVAL '52 weeks' AS date)")
  })

  it('as a share of all, and within groups', () => {
    expect(
      shopSql({ metrics: [metric('order_count')], groupBy: [by('order.status')], share: { kind: 'total' } }),
    ).toMatchInlineSnapshot(`
      "SELECT
        status,
        COUNT(*) AS order_count,
        1.0 * COUNT(*) / NULLIF(SUM(COUNT(*)) OVER (), 0) AS order_count_share
      FROM orders
      GROUP BY status
      ORDER BY order_count DESC"
    `)
    expect(
      shopSql({
        metrics: [metric('order_count')],
        groupBy: [by('customer.country'), by('order.status')],
        share: { kind: 'group', by: by('customer.country') },
      }),
    ).toContain('OVER (PARTITION BY customers.country)')
  })

  it('as a share of all, before groups are left out', () => {
    expect(
      shopSql({
        metrics: [metric('order_count')],
        groupBy: [by('order.status')],
        share: { kind: 'total' },
        having: [{ metric: metric('order_count'), operator: '>', value: 10 }],
      }),
    ).toMatchInlineSnapshot(`
      "WITH figures AS (
        SELECT status, COUNT(*) AS order_count
        FROM orders
        GROUP BY status
      ),
      measured AS (
        SELECT
          status,
          order_count,
          1.0 * order_count / NULLIF(SUM(order_count) OVER (), 0) AS order_count_share
        FROM figures
      )
      SELECT status, order_count, order_count_share
      FROM measured
      WHERE order_count > 10
      ORDER BY order_count DESC"
    `)
  })
})

describe('figures that add up over time', () => {
  const groupBy = [every('month')]

  it('since ever', () => {
    expect(
      shopSql({ metrics: [metric('order_count')], groupBy, running: { kind: 'total' } }),
    ).toMatchInlineSnapshot(`
      "WITH figures AS (
        SELECT CAST(date_trunc('month', placed_at) AS date) AS month, COUNT(*) AS order_count
        FROM orders
        GROUP BY month
      )
      SELECT
        month,
        order_count,
        SUM(order_count) OVER (ORDER BY month ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS order_count_to_date
      FROM figures
      ORDER BY month"
    `)
  })

  it('since the start of a year that began before the period', () => {
    expect(
      shopSql({
        metrics: [metric('order_count')],
        groupBy,
        period: days('2024-03-01', '2024-07-01'),
        running: { kind: 'to-date', unit: 'year' },
      }),
    ).toMatchInlineSnapshot(`
      "WITH figures AS (
        SELECT CAST(date_trunc('month', placed_at) AS date) AS month, COUNT(*) AS order_count
        FROM orders
        WHERE placed_at >= TIMESTAMP '2024-01-01 00:00:00' AND placed_at < TIMESTAMP '2024-07-01 00:00:00'
        GROUP BY month
      ),
      measured AS (
        SELECT
          month,
          order_count,
          SUM(order_count) OVER (PARTITION BY CAST(date_trunc('year', month) AS date) ORDER BY month ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS order_count_to_date
        FROM figures
      )
      SELECT month, order_count, order_count_to_date
      FROM measured
      WHERE month >= DATE '2024-03-01'
      ORDER BY month"
    `)
  })

  it('as a mean of the last periods', () => {
    expect(
      shopSql({ metrics: [metric('order_count')], groupBy, running: { kind: 'moving-average', count: 3 } }),
    ).toContain('AVG(order_count) OVER (ORDER BY month ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)')
  })

  it('as ratios of totals that add up, not as sums of ratios', () => {
    expect(
      shopSql({ metrics: [metric('cancel_rate')], groupBy, running: { kind: 'total' } }),
    ).toMatchInlineSnapshot(`
      "WITH figures AS (
        SELECT
          CAST(date_trunc('month', placed_at) AS date) AS month,
          COUNT(CASE WHEN status = 'canceled' THEN 1 END) AS canceled_orders,
          COUNT(*) AS order_count
        FROM orders
        GROUP BY month
      )
      SELECT
        month,
        1.0 * canceled_orders / NULLIF(order_count, 0) AS cancel_rate,
        1.0 * SUM(canceled_orders) OVER (ORDER BY month ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) / NULLIF(SUM(order_count) OVER (ORDER BY month ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), 0) AS cancel_rate_to_date
      FROM figures
      ORDER BY month"
    `)
  })

  it('by the definition of a metric', () => {
    expect(
      shopSql({
        metrics: [metric('orders_of_3_months')],
        groupBy,
        period: days('2024-03-01', null),
      }),
    ).toMatchInlineSnapshot(`
      "WITH figures AS (
        SELECT CAST(date_trunc('month', placed_at) AS date) AS month, COUNT(*) AS order_count
        FROM orders
        WHERE placed_at >= TIMESTAMP '2024-01-01 00:00:00'
        GROUP BY month
      ),
      measured AS (
        SELECT
          month,
          SUM(order_count) OVER (ORDER BY month ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS orders_of_3_months
        FROM figures
      )
      SELECT month, orders_of_3_months
      FROM measured
      WHERE month >= DATE '2024-03-01'
      ORDER BY month"
    `)
  })
})

describe('groups', () => {
  it('of many partners count a row once for each', () => {
    expect(
      shopSql({ metrics: [metric('order_count')], groupBy: [by('category.name')] }),
    ).toMatchInlineSnapshot(`
      "SELECT categories.name AS category, COUNT(DISTINCT orders.id) AS order_count
      FROM orders
      JOIN order_lines ON order_lines.order_id = orders.id
      JOIN products ON products.id = order_lines.product_id
      JOIN categories ON categories.id = products.category_id
      GROUP BY categories.name
      ORDER BY order_count DESC"
    `)
    expect(shopSql({ metrics: [metric('freight')], groupBy: [each('product')] })).toMatchInlineSnapshot(`
      "SELECT each_product.product, SUM(orders.freight) AS freight
      FROM orders
      JOIN (
        SELECT DISTINCT order_lines.order_id, products.name AS product, products.id AS product_id
        FROM order_lines
        JOIN products ON products.id = order_lines.product_id
      ) AS each_product ON each_product.order_id = orders.id
      GROUP BY each_product.product_id, each_product.product
      ORDER BY freight DESC NULLS LAST"
    `)
  })

  it('of many partners show those that a filter on them is about', () => {
    expect(
      shopSql({
        metrics: [metric('freight')],
        groupBy: [each('product')],
        filters: [is('category.name', 'Tea')],
      }),
    ).toMatchInlineSnapshot(`
      "SELECT each_product.product, SUM(orders.freight) AS freight
      FROM orders
      JOIN (
        SELECT DISTINCT order_lines.order_id, products.name AS product, products.id AS product_id
        FROM order_lines
        JOIN products ON products.id = order_lines.product_id
        JOIN categories ON categories.id = products.category_id
        WHERE categories.name = 'Tea'
      ) AS each_product ON each_product.order_id = orders.id
      GROUP BY each_product.product_id, each_product.product
      ORDER BY freight DESC NULLS LAST"
    `)
  })

  it('by role, and by the manager of one', () => {
    expect(
      shopSql({
        metrics: [metric('order_count')],
        groupBy: [each('employee', 'approver'), by('employee.last_name', 'seller manager')],
      }),
    ).toMatchInlineSnapshot(`
      "SELECT
        employees.first_name AS approver_first_name,
        employees.last_name AS approver_last_name,
        manager.last_name AS manager_last_name,
        COUNT(*) AS order_count
      FROM orders
      JOIN employees ON employees.id = orders.approver_id
      JOIN employees AS seller ON seller.id = orders.seller_id
      JOIN employees AS manager ON manager.id = seller.manager_id
      GROUP BY employees.id, employees.first_name, employees.last_name, manager.last_name
      ORDER BY order_count DESC"
    `)
  })

  it('by the first order of a customer', () => {
    expect(
      shopSql({
        metrics: [metric('buyers')],
        groupBy: [{ kind: 'cohort', of: 'customer', events: 'order', grain: 'quarter' }, every('quarter')],
      }),
    ).toMatchInlineSnapshot(`
      "SELECT
        CAST(date_trunc('quarter', first_orders.first_at) AS date) AS quarter_of_first_order,
        CAST(date_trunc('quarter', orders.placed_at) AS date) AS quarter,
        COUNT(DISTINCT orders.customer_id) AS buyers
      FROM orders
      JOIN (
        SELECT customer_id AS id, MIN(placed_at) AS first_at
        FROM orders
        GROUP BY customer_id
      ) AS first_orders ON first_orders.id = orders.customer_id
      GROUP BY quarter_of_first_order, quarter
      ORDER BY quarter_of_first_order, quarter"
    `)
  })

  it('the first two of each', () => {
    expect(
      shopSql({
        metrics: [metric('quantity')],
        groupBy: [by('category.name'), each('product')],
        limit: 2,
        limitPer: [by('category.name')],
      }),
    ).toMatchInlineSnapshot(`
      "WITH figures AS (
        SELECT
          categories.name AS category,
          products.id AS product_id,
          products.name AS product,
          SUM(order_lines.quantity) AS quantity
        FROM order_lines
        JOIN products ON products.id = order_lines.product_id
        JOIN categories ON categories.id = products.category_id
        GROUP BY categories.name, products.id, products.name
      ),
      ranked AS (
        SELECT
          category,
          product,
          quantity,
          ROW_NUMBER() OVER (PARTITION BY category ORDER BY quantity DESC NULLS LAST) AS place
        FROM figures
      )
      SELECT category, product, quantity
      FROM ranked
      WHERE place <= 2
      ORDER BY category, place"
    `)
  })
})

describe('what the columns mean', () => {
  it('is said in their order, with labels in a role', () => {
    const compiled = compileShop({
      metrics: [metric('cancel_rate')],
      groupBy: [by('customer.country', 'customer referrer'), every('month')],
      compare: { kind: 'series', lag: 'previous' },
    })
    expect(compiled.ok && compiled.columns.map(({ label, role }) => [label, role.kind])).toEqual([
      ['Referrer country', 'category'],
      ['Month', 'period'],
      ['Cancel rate', 'figure'],
      ['Cancel rate before', 'figure'],
      ['Change in cancel rate', 'figure'],
      ['Growth of cancel rate', 'figure'],
    ])
  })

  it('names a column apart from one of the table that is called the same', () => {
    expect(
      shopSql({
        metrics: [metric('quantity')],
        having: [{ metric: metric('quantity'), operator: '>', value: 1 }],
        groupBy: [every('month', ref('order.shipped_at'))],
      }),
    ).toContain('HAVING SUM(order_lines.quantity) > 1')
  })
})

describe('a condition on a change', () => {
  const period = { from: '2026-07-01', until: '2026-10-01', at: null, phrase: 'Q3 2026' } as const
  const fell = { metric: metric('order_count'), of: 'change', operator: '<', value: 0 } as const
  const asked = {
    metrics: [metric('order_count')],
    groupBy: [by('customer.country')],
    period,
    having: [fell],
  }

  it('keeps the groups whose figure fell', () => {
    const compare = {
      kind: 'period',
      from: '2025-07-01',
      until: '2025-10-01',
      label: 'Q3 2025',
      isSameStretch: false,
    } as const
    expect(shopSql({ ...asked, compare })).toContain('WHERE order_count - order_count_before < 0')
  })

  it('needs something to compare with', () => {
    expect(compileShop(asked)).toMatchObject({ ok: false })
  })
})
