package service

import (
	"context"
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/skills"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

const (
	maxSkills  = 200
	mostRouted = 3
)

// Skills implements wm/skills.
func (s *Service) Skills(_ context.Context, at *View, params *wire.SkillsParams) (wire.SkillsResult, error) {
	result := wire.SkillsResult{Skills: []wire.Skill{}}
	if params.Limit < 0 || params.Limit > maxSkills {
		return result, fault.Invalid("limit", "must be 0 to %d, got %d", maxSkills, params.Limit)
	}
	if n := len(params.Query); n > 10_000 {
		return result, fault.Invalid("query", "must have at most 10000 bytes, got %d", n)
	}
	statuses := []skills.Status{skills.Active, skills.Offering}
	if params.IncludeDropped {
		statuses = nil
	}
	list, limit := at.skillsRoom().List(statuses...), params.Limit
	if strings.TrimSpace(params.Query) == "" {
		if limit == 0 {
			limit = maxSkills
		}
		for _, skill := range list[:min(limit, len(list))] {
			result.Skills = append(result.Skills, wireSkill(skill))
		}
		return result, nil
	}
	if limit == 0 {
		limit = mostRouted
	}
	for _, match := range skills.Route(list, params.Query, limit) {
		skill := wireSkill(match.Skill)
		skill.Score = match.Score
		result.Skills = append(result.Skills, skill)
	}
	return result, nil
}

// SkillsGet implements wm/skills/get.
func (s *Service) SkillsGet(_ context.Context, at *View, params *wire.SkillsGetParams) (wire.SkillsGetResult, error) {
	skill, err := at.skillsRoom().Lookup(params.ID)
	if err != nil {
		return wire.SkillsGetResult{}, err
	}
	return wire.SkillsGetResult{
		Skill: wireSkill(skill), Document: string(skill.Document()), Markdown: skill.Markdown(),
	}, nil
}

// SkillsUpdate implements wm/skills/update.
func (s *Service) SkillsUpdate(
	ctx context.Context, at *View, params *wire.SkillsUpdateParams,
) (wire.SkillsUpdateResult, error) {
	patch := skills.Patch{
		Status: (*skills.Status)(params.Status), Title: params.Title, Purpose: params.Purpose,
		Commands: params.Commands, Notes: params.Notes,
	}
	changes, err := at.Apply(ctx, at.Actor(), func() ([]change.Change, error) {
		return at.skillsRoom().Update(params.ID, string(params.IfRevision), patch)
	})
	if err != nil {
		return wire.SkillsUpdateResult{}, err
	}
	skill, err := at.skillsRoom().Lookup(params.ID)
	if err != nil {
		return wire.SkillsUpdateResult{}, err
	}
	result := wire.SkillsUpdateResult{Skill: wireSkill(skill)}
	if len(changes) > 0 {
		result.Undo = undoOfSkill(changes[0], result.Skill.Revision)
	}
	return result, nil
}

// undoOfSkill returns the call that undoes a change of a skill, or nil.
func undoOfSkill(c change.Change, revision wire.Revision) *wire.Undo {
	var before skills.Skill
	if (change.Row{Key: "before", Value: c.Before}).Decode(&before) != nil {
		return nil
	}
	return &wire.Undo{Method: "wm/skills/update", Params: wire.Object{
		"id": before.ID, "status": string(before.Status), "title": before.Title, "purpose": before.Purpose,
		"commands": strings.Join(before.Commands, "\n"), "notes": before.Notes, "ifRevision": revision,
	}}
}

// SkillsRemove implements wm/skills/remove.
func (s *Service) SkillsRemove(
	ctx context.Context, at *View, params *wire.SkillsRemoveParams,
) (wire.SkillsRemoveResult, error) {
	before, err := at.skillsRoom().Lookup(params.ID)
	if err != nil {
		return wire.SkillsRemoveResult{}, err
	}
	changes, err := at.Apply(ctx, at.Actor(), func() ([]change.Change, error) {
		return at.skillsRoom().Drop(params.ID, string(params.IfRevision))
	})
	if err != nil {
		return wire.SkillsRemoveResult{}, err
	}
	var result wire.SkillsRemoveResult
	if len(changes) > 0 {
		result.FilesLeft = skills.Withdraw(before)
	}
	if len(result.FilesLeft) > 0 {
		result.Message = "These exported files were changed since, or cannot be deleted: " +
			strings.Join(result.FilesLeft, ", ") + ". Delete them if agents should not read them any more."
	}
	skill, err := at.skillsRoom().Lookup(params.ID)
	result.Skill = wireSkill(skill)
	return result, err
}

// SkillsRestore implements wm/skills/restore.
func (s *Service) SkillsRestore(
	ctx context.Context, at *View, params *wire.SkillsRestoreParams,
) (wire.SkillsRestoreResult, error) {
	_, err := at.Apply(ctx, at.Actor(), func() ([]change.Change, error) {
		return at.skillsRoom().Restore(params.ID)
	})
	if err != nil {
		return wire.SkillsRestoreResult{}, err
	}
	skill, err := at.skillsRoom().Lookup(params.ID)
	return wire.SkillsRestoreResult{Skill: wireSkill(skill)}, err
}

// SkillsExport implements wm/skills/export.
func (s *Service) SkillsExport(
	ctx context.Context, at *View, params *wire.SkillsExportParams,
) (wire.SkillsExportResult, error) {
	if err := at.NoWorkspace(); err != nil {
		return wire.SkillsExportResult{}, err
	}
	if !params.Consent {
		return wire.SkillsExportResult{}, fault.Invalid("consent",
			"must be true: ask the person whether files may be written into %q", params.Folder)
	}
	outcomes, err := at.skills().Export(ctx, at.Actor(), at.worktree(), params.Folder, params.IDs)
	if err != nil {
		return wire.SkillsExportResult{}, err
	}
	result := wire.SkillsExportResult{Skills: []wire.SkillExport{}}
	counts := map[string]int{}
	var left []string
	for _, o := range outcomes {
		counts[o.Status]++
		if o.Reason != "" {
			left = append(left, o.Path+": "+o.Reason)
		}
		result.Skills = append(result.Skills, wire.SkillExport{
			ID: o.ID, Name: o.Name, Path: o.Path, Status: wire.SkillExportStatus(o.Status), Reason: o.Reason,
		})
	}
	switch {
	case len(outcomes) == 0:
		result.Message = "There are no skills to export. Keep one first."
	default:
		result.Message = fmt.Sprintf("%d written, %d unchanged.", counts["written"], counts["unchanged"])
	}
	if len(left) > 0 {
		result.Message += " Left as they are: " + strings.Join(left, "; ") + "."
	}
	return result, nil
}

func (v *View) skillsRoom() *skills.Room { return memory.RoomOf[*skills.Room](v.Workspace) }

func (v *View) skills() *skills.Service { return memory.ServiceOf[*skills.Service](v.Workspace) }

func wireSkill(s skills.Skill) wire.Skill {
	skill := wire.Skill{
		ID: s.ID, Type: skills.Type, Store: gating.Semantic, Text: s.Text(), Name: s.Name, Title: s.Title,
		Purpose: s.Purpose, Kind: wire.SkillKind(s.Kind), Status: wire.SkillStatus(s.Status), Commands: s.Commands,
		Avoid: s.Avoid, Files: s.Files, Error: s.Error, Notes: s.Notes, Version: s.Version, Attempts: s.Attempts,
		Successes: s.Successes, SuccessRate: s.Rate(), Evidence: []wire.SkillEvidence{}, Importance: s.Importance(),
		TokensEstimate: s.Tokens(), Timestamp: wire.At(s.CreatedAt), ModifiedAt: wire.At(s.UpdatedAt),
		Revision: wire.Revision(s.Revision()),
	}
	if skill.Commands == nil {
		skill.Commands = []string{}
	}
	for _, e := range s.Evidence {
		skill.Evidence = append(
			skill.Evidence,
			wire.SkillEvidence{SessionID: e.Session, Turn: e.Turn, At: wire.At(e.At)},
		)
	}
	for _, e := range s.Exports {
		skill.ExportedTo = append(skill.ExportedTo, e.Folder)
	}
	return skill
}
