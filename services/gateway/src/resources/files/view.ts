import type { File } from '@sluice/protos/sluice/workspace/v1/file';
import { isExportId } from '@sluice/workspace-files';

/** The public form of a file of a workspace. */
export function workspaceFileView(file: File) {
  return {
    id: file.fileId,
    type: 'file' as const,
    object: 'file' as const,
    workspace_id: file.workspaceId,
    filename: file.name,
    mime_type: file.mediaType,
    size_bytes: Number(file.bytes),
    bytes: Number(file.bytes),
    sha256: file.sha256,
    purpose: isExportId(file.fileId) ? ('analytics_export' as const) : ('user_data' as const),
    downloadable: true,
    created_at: file.createdAt,
  };
}
