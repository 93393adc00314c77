export {
  contextBucketOf,
  type Dimension,
  type DimensionName,
  dimensionNames,
  dimensionOf,
  dimensions,
  yearDimensions,
} from './dimensions.ts';
export {
  type AskedExport,
  exportBounds,
  type ExportFormat,
  exportFormats,
  type ExportRequest,
  type ExportTableName,
  exportTableNames,
  exportTables,
  parseExport,
} from './export-request.ts';
export { type Amounts, type Measure, measureNames, measures } from './measures.ts';
export {
  type DisplayFormat,
  type Metric,
  type MetricName,
  metricNames,
  metricOf,
  metrics,
  type MetricValue,
} from './metrics.ts';
export { type AskedQuestion, parseQuestion, type QuestionIssue } from './parse-question.ts';
export {
  type Filter,
  granularities,
  type Granularity,
  granularityNames,
  type OperatorName,
  operatorNames,
  operators,
  type OrderBy,
  type Question,
  questionBounds,
} from './question.ts';
export { binOf, type SketchName, sketchNames, valueOfBin } from './sketch.ts';
