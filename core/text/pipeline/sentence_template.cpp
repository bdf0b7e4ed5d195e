// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/sentence_template.h"

#include <optional>

#include "core/text/pipeline/component.h"

namespace headlight::pipeline {
namespace {

using Slot = SentenceTemplate::Slot;

constexpr std::size_t mostSlots = 64;
constexpr int mostTypes = 16;

Slot firstText(int type = 0) {
    return {Slot::Kind::First, type, {}};
}
Slot secondText(int type = 1) {
    return {Slot::Kind::Second, type, {}};
}
Slot special(std::vector<int> ids, int type = 0) {
    return {Slot::Kind::Special, type, std::move(ids)};
}

int idOf(const nlohmann::json& json, const ComponentJson& part, const char* key, int size) {
    const std::optional<int> id = wholeNumber(json, size - 1);
    if (!id) part.refuse(key, "names an id that the vocabulary does not have");
    return *id;
}

/// `["[SEP]", 102]`
int idOfPair(const ComponentJson& part, const char* key, int size) {
    const nlohmann::json& pair = part.at(key);
    if (!pair.is_array() || pair.size() != 2) part.refuse(key, "is not a token and its id");
    return idOf(pair[1], part, key, size);
}

class TemplateReader {
public:
    TemplateReader(const ComponentJson& part, int size) : m_part(part), m_size(size) {}

    std::vector<Slot> read(const char* key) const {
        const nlohmann::json& list = m_part.at(key);
        if (!list.is_array() || list.size() > mostSlots) m_part.refuse(key, "is no list of a few tokens");
        std::vector<Slot> slots;
        for (const nlohmann::json& each : list)
            slots.push_back(slot(each, key));
        return slots;
    }

private:
    Slot slot(const nlohmann::json& json, const char* key) const {
        if (json.is_object() && json.size() == 1 && json.begin()->is_object()) {
            const ComponentJson body(*json.begin(), m_part.role(), m_part.file());
            const int type = body.number("type_id", 0, mostTypes);
            const std::string id = body.text("id", "");
            if (json.begin().key() == "Sequence" && id == "A") return firstText(type);
            if (json.begin().key() == "Sequence" && id == "B") return secondText(type);
            if (json.begin().key() == "SpecialToken") return special(idsOf(id), type);
        }
        m_part.refuse(key, "has a part that is neither a Sequence nor a SpecialToken");
    }

    std::vector<int> idsOf(const std::string& name) const {
        const nlohmann::json& known = m_part.at("special_tokens");
        const auto found = known.find(name);
        if (!known.is_object() || found == known.end() || !found->is_object() || !found->contains("ids") ||
            !(*found)["ids"].is_array() || (*found)["ids"].size() > mostSlots)
            m_part.refuse("special_tokens", "does not say what '" + name.substr(0, 100) + "' is");
        std::vector<int> ids;
        for (const nlohmann::json& id : (*found)["ids"])
            ids.push_back(idOf(id, m_part, "special_tokens", m_size));
        return ids;
    }

    const ComponentJson& m_part;
    int m_size;
};

std::optional<SentenceTemplate> read(const nlohmann::json& json, const std::string& file, int size) {
    if (isAbsent(json)) return std::nullopt;
    const ComponentJson part(json, "post_processor", file);
    const std::string& type = part.type();
    if (type == "ByteLevel") return std::nullopt;  // it says where tokens stand in the text: not asked here
    if (type == "TemplateProcessing") {
        const TemplateReader reader(part, size);
        return SentenceTemplate(reader.read("single"), reader.read("pair"));
    }
    if (type == "BertProcessing" || type == "RobertaProcessing") {
        const Slot begin = special({idOfPair(part, "cls", size)});
        const int end = idOfPair(part, "sep", size);
        if (type == "BertProcessing")
            return SentenceTemplate({begin, firstText(), special({end})},
                                    {begin, firstText(), special({end}), secondText(), special({end}, 1)});
        // A separator more between the two, and no types: RoBERTa has none.
        return SentenceTemplate({begin, firstText(), special({end})},
                                {begin, firstText(), special({end, end}), secondText(0), special({end})});
    }
    if (type != "Sequence") part.refuseType();
    const nlohmann::json& list = part.at("processors");
    if (!list.is_array() || list.size() > mostSlots) part.refuse("processors", "is no list of a few");
    std::optional<SentenceTemplate> result;
    for (const nlohmann::json& each : list)
        if (const auto found = read(each, file, size)) result = found;
    return result;
}

}  // namespace

SentenceTemplate::SentenceTemplate() : SentenceTemplate({firstText()}, {firstText(), secondText()}) {}

SentenceTemplate::SentenceTemplate(std::vector<Slot> single, std::vector<Slot> pair)
    : m_single(std::move(single)), m_pair(std::move(pair)) {}

EncodedInput SentenceTemplate::apply(const std::vector<int>& first, const std::vector<int>* second) const {
    EncodedInput input;
    for (const Slot& slot : second == nullptr ? m_single : m_pair) {
        const bool isSpecial = slot.kind == Slot::Kind::Special;
        if (slot.kind == Slot::Kind::Second && second == nullptr) continue;
        const std::vector<int>& ids = isSpecial ? slot.ids : slot.kind == Slot::Kind::First ? first : *second;
        input.ids.insert(input.ids.end(), ids.begin(), ids.end());
        input.types.resize(input.ids.size(), slot.type);
        input.added.resize(input.ids.size(), isSpecial);
    }
    return input;
}

std::vector<int> SentenceTemplate::ids() const {
    std::vector<int> ids;
    for (const std::vector<Slot>* slots : {&m_single, &m_pair})
        for (const Slot& slot : *slots)
            ids.insert(ids.end(), slot.ids.begin(), slot.ids.end());
    return ids;
}

SentenceTemplate readPostProcessor(const nlohmann::json& json, const std::string& file, int size) {
    return read(json, file, size).value_or(SentenceTemplate());
}

}  // namespace headlight::pipeline
