{{- define "opaline.labels" -}}
app.kubernetes.io/name: opaline
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "opaline.image" -}}
image: "{{ .Values.image.name }}:{{ .Values.image.tag }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "opaline.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/* A worker, of the root and the name of its side. */}}
{{- define "opaline.worker" -}}
{{- $own := index .root.Values .side -}}
name: worker
args: [worker, {{ .side }}, /files/{{ .side }}.json]
{{ include "opaline.image" .root }}
ports:
  - { name: metrics, containerPort: 9464 }
  - { name: health, containerPort: 9465 }
startupProbe:
  httpGet: { path: /readyz, port: health }
  timeoutSeconds: 5
  periodSeconds: 5
  failureThreshold: 60
readinessProbe:
  httpGet: { path: /readyz, port: health }
  timeoutSeconds: 5
  periodSeconds: 15
livenessProbe:
  httpGet: { path: /healthz, port: health }
  timeoutSeconds: 5
  periodSeconds: 15
  failureThreshold: 4
resources: {{- toYaml $own.resources | nindent 2 }}
{{- end }}
