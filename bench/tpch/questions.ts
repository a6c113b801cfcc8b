/** A business question of TPC-H, as SQL of our own, and what its first row has at scale factor 1. */
export interface TpchQuestion {
  readonly name: string
  readonly sql: string
  /** The cells of the first row as the standard publishes them for validation; numbers to the cent. */
  readonly firstRow: readonly (string | number)[]
  readonly rows: number
}

/** Ten of the twenty-two, with the parameters of the standard's validation run. */
export const tpchQuestions: readonly TpchQuestion[] = [
  {
    name: 'Q1 pricing summary',
    sql: `SELECT returnflag, linestatus, sum(quantity), sum(extendedprice), sum(extendedprice * (1 - discount)),
      sum(extendedprice * (1 - discount) * (1 + tax)), count(*)
      FROM lineitem WHERE shipdate <= DATE '1998-12-01' - INTERVAL '90' DAY
      GROUP BY returnflag, linestatus ORDER BY returnflag, linestatus`,
    firstRow: ['A', 'F', 37734107, 56586554400.73, 53758257134.87, 55909065222.83, 1478493],
    rows: 4,
  },
  {
    name: 'Q3 shipping priority',
    sql: `SELECT l.orderkey, sum(l.extendedprice * (1 - l.discount)) AS revenue, o.orderdate
      FROM customer c JOIN orders o ON o.custkey = c.custkey JOIN lineitem l ON l.orderkey = o.orderkey
      WHERE c.mktsegment = 'BUILDING' AND o.orderdate < DATE '1995-03-15' AND l.shipdate > DATE '1995-03-15'
      GROUP BY l.orderkey, o.orderdate ORDER BY revenue DESC, o.orderdate LIMIT 10`,
    firstRow: [2456423, 406181.01, '1995-03-05'],
    rows: 10,
  },
  {
    name: 'Q4 order priority checking',
    sql: `SELECT orderpriority, count(*) FROM orders o
      WHERE orderdate >= DATE '1993-07-01' AND orderdate < DATE '1993-10-01'
        AND EXISTS (SELECT 1 FROM lineitem l WHERE l.orderkey = o.orderkey AND l.commitdate < l.receiptdate)
      GROUP BY orderpriority ORDER BY orderpriority`,
    firstRow: ['1-URGENT', 10594],
    rows: 5,
  },
  {
    name: 'Q5 local supplier volume',
    sql: `SELECT n.name, sum(l.extendedprice * (1 - l.discount)) AS revenue
      FROM customer c JOIN orders o ON o.custkey = c.custkey JOIN lineitem l ON l.orderkey = o.orderkey
        JOIN supplier s ON s.suppkey = l.suppkey AND s.nationkey = c.nationkey
        JOIN nation n ON n.nationkey = s.nationkey JOIN region r ON r.regionkey = n.regionkey
      WHERE r.name = 'ASIA' AND o.orderdate >= DATE '1994-01-01' AND o.orderdate < DATE '1995-01-01'
      GROUP BY n.name ORDER BY revenue DESC`,
    firstRow: ['INDONESIA', 55502041.17],
    rows: 5,
  },
  {
    name: 'Q6 forecasting revenue change',
    sql: `SELECT sum(extendedprice * discount) FROM lineitem
      WHERE shipdate >= DATE '1994-01-01' AND shipdate < DATE '1995-01-01'
        AND discount BETWEEN 0.0499 AND 0.0701 AND quantity < 24`,
    firstRow: [123141078.23],
    rows: 1,
  },
  {
    name: 'Q7 volume shipping',
    sql: `SELECT a.name AS supplier, b.name AS customer, year(l.shipdate) AS y,
        sum(l.extendedprice * (1 - l.discount)) AS volume
      FROM lineitem l JOIN supplier s ON s.suppkey = l.suppkey JOIN orders o ON o.orderkey = l.orderkey
        JOIN customer c ON c.custkey = o.custkey JOIN nation a ON a.nationkey = s.nationkey
        JOIN nation b ON b.nationkey = c.nationkey
      WHERE l.shipdate BETWEEN DATE '1995-01-01' AND DATE '1996-12-31'
        AND ((a.name = 'FRANCE' AND b.name = 'GERMANY') OR (a.name = 'GERMANY' AND b.name = 'FRANCE'))
      GROUP BY a.name, b.name, year(l.shipdate) ORDER BY 1, 2, 3`,
    firstRow: ['FRANCE', 'GERMANY', 1995, 54639732.73],
    rows: 4,
  },
  {
    name: 'Q10 returned items',
    sql: `SELECT c.custkey, c.name, sum(l.extendedprice * (1 - l.discount)) AS revenue, c.acctbal, n.name
      FROM customer c JOIN orders o ON o.custkey = c.custkey JOIN lineitem l ON l.orderkey = o.orderkey
        JOIN nation n ON n.nationkey = c.nationkey
      WHERE o.orderdate >= DATE '1993-10-01' AND o.orderdate < DATE '1994-01-01' AND l.returnflag = 'R'
      GROUP BY c.custkey, c.name, c.acctbal, n.name ORDER BY revenue DESC LIMIT 20`,
    firstRow: [57040, 'Customer#000057040', 734235.25, 632.87, 'JAPAN'],
    rows: 20,
  },
  {
    name: 'Q12 shipping modes and order priority',
    sql: `SELECT l.shipmode, count_if(o.orderpriority IN ('1-URGENT', '2-HIGH')),
        count_if(o.orderpriority NOT IN ('1-URGENT', '2-HIGH'))
      FROM orders o JOIN lineitem l ON l.orderkey = o.orderkey
      WHERE l.shipmode IN ('MAIL', 'SHIP') AND l.commitdate < l.receiptdate AND l.shipdate < l.commitdate
        AND l.receiptdate >= DATE '1994-01-01' AND l.receiptdate < DATE '1995-01-01'
      GROUP BY l.shipmode ORDER BY l.shipmode`,
    firstRow: ['MAIL', 6202, 9324],
    rows: 2,
  },
  {
    name: 'Q13 customer distribution',
    sql: `SELECT orders, count(*) AS customers FROM (
        SELECT c.custkey, count(o.orderkey) AS orders
        FROM customer c LEFT JOIN orders o
          ON o.custkey = c.custkey AND o.comment NOT LIKE '%special%requests%'
        GROUP BY c.custkey) t
      GROUP BY orders ORDER BY customers DESC, orders DESC`,
    firstRow: [0, 50005],
    rows: 42,
  },
  {
    name: 'Q14 promotion effect',
    sql: `SELECT 100 * sum(CASE WHEN p.type LIKE 'PROMO%' THEN l.extendedprice * (1 - l.discount) ELSE 0 END)
        / sum(l.extendedprice * (1 - l.discount))
      FROM lineitem l JOIN part p ON p.partkey = l.partkey
      WHERE l.shipdate >= DATE '1995-09-01' AND l.shipdate < DATE '1995-10-01'`,
    firstRow: [16.38],
    rows: 1,
  },
]
